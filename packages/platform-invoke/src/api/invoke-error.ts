/** The HTTP status of each API error. */
const statuses = {
  AccessDeniedException: 403,
  CallbackTimeoutException: 400,
  DurableExecutionAlreadyStartedException: 409,
  IncompleteSignatureException: 400,
  InvalidParameterValueException: 400,
  InvalidRequestContentException: 400,
  InvalidSignatureException: 403,
  MissingAuthenticationTokenException: 403,
  RequestExpiredException: 400,
  RequestTimeoutException: 408,
  RequestTooLargeException: 413,
  ResourceConflictException: 409,
  ResourceNotFoundException: 404,
  ServiceException: 500,
  ServiceUnavailableException: 503,
  TooManyRequestsException: 429,
  UnknownOperationException: 404,
  UnrecognizedClientException: 403,
}

/** The AWS Lambda error that the Invoke API returns when it refuses a request. */
export class InvokeError extends Error {
  override readonly name = 'InvokeError'
  readonly type: keyof typeof statuses
  readonly status: number
  /** Seconds after which the client can try again. */
  readonly retryAfter: number | undefined

  constructor(type: keyof typeof statuses, message: string, retryAfter?: number) {
    super(message)
    this.retryAfter = retryAfter
    this.type = type
    this.status = statuses[type]
  }
}

/** Returns the error for a client that sent too many requests. */
export function rateExceeded(seconds: number): InvokeError {
  const message = `Rate exceeded. Try again after ${seconds} seconds.`
  return new InvokeError('TooManyRequestsException', message, seconds)
}
