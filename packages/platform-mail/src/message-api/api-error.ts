/** The HTTP status of each error, for the message API and for objects. */
const statuses = {
  // The service's errors: its model gives a status to the first only.
  ResourceNotFoundException: 404,
  InvalidContentLocation: 400,
  MessageFrozen: 400,
  MessageRejected: 400,
  // Errors that all operations of the service have in common.
  AccessDeniedException: 403,
  IncompleteSignatureException: 400,
  InvalidSignatureException: 403,
  MissingAuthenticationTokenException: 403,
  RequestExpiredException: 400,
  ServiceUnavailableException: 503,
  ThrottlingException: 429,
  UnknownOperationException: 404,
  UnrecognizedClientException: 403,
  ValidationException: 400,
  // Errors of S3.
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  BadDigest: 400,
  EntityTooLarge: 400,
  IncompleteBody: 400,
  InvalidAccessKeyId: 403,
  InvalidRequest: 400,
  NoSuchKey: 404,
  NotImplemented: 501,
  RequestTimeout: 400,
  SignatureDoesNotMatch: 403,
  SlowDown: 503,
  XAmzContentSHA256Mismatch: 400,
}

export type ErrorCode = keyof typeof statuses

/** The error with which the message API, or its objects, refuse a request. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest'
  readonly code: ErrorCode
  readonly status: number
  /** Seconds after which the client can try again. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, retryAfter?: number) {
    super(message)
    this.code = code
    this.status = statuses[code]
    this.retryAfter = retryAfter
  }
}
