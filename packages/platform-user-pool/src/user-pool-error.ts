import { SignalboxError } from '@signalbox/core/base'

/** The errors of user pools, under the names that clients see. */
export const userPoolErrorTypes = [
  'AliasExistsException',
  'CodeDeliveryFailureException',
  'CodeMismatchException',
  'DuplicateProviderException',
  'EnableSoftwareTokenMFAException',
  'ExpiredCodeException',
  'FeatureUnavailableInTierException',
  'GroupExistsException',
  'IncompleteSignatureException',
  'InternalErrorException',
  'InvalidLambdaResponseException',
  'InvalidParameterException',
  'InvalidPasswordException',
  'InvalidSignatureException',
  'InvalidUserPoolConfigurationException',
  'LimitExceededException',
  'MissingAuthenticationTokenException',
  'NotAuthorizedException',
  'OperationNotEnabledException',
  'PasswordResetRequiredException',
  'RefreshTokenReuseException',
  'RequestEntityTooLargeException',
  'RequestTimeoutException',
  'ResourceNotFoundException',
  'ScopeDoesNotExistException',
  'SerializationException',
  'ServiceUnavailableException',
  'TooManyRequestsException',
  'UnexpectedLambdaException',
  'UnknownOperationException',
  'UnrecognizedClientException',
  'UnsupportedOperationException',
  'UnsupportedTokenTypeException',
  'SoftwareTokenMFANotFoundException',
  'TermsExistsException',
  'UserLambdaValidationException',
  'UserNotConfirmedException',
  'UserNotFoundException',
  'UserPoolAddOnNotEnabledException',
  'UsernameExistsException',
  'AccessDeniedException',
  'WebAuthnChallengeNotFoundException',
  'WebAuthnClientMismatchException',
  'WebAuthnCredentialNotSupportedException',
  'WebAuthnNotEnabledException',
  'WebAuthnOriginNotAllowedException',
] as const

export type UserPoolErrorType = (typeof userPoolErrorTypes)[number]

/** The error that is thrown when a user pool refuses a request. Clients get its `type` and `message`. */
export class UserPoolError extends SignalboxError {
  override readonly name = 'UserPoolError'
  readonly code = 'USER_POOL'
  readonly type: UserPoolErrorType
  /** The number of seconds after which the client may try again. */
  readonly retryAfter: number | undefined

  constructor(
    type: UserPoolErrorType,
    message: string,
    { retryAfter, ...options }: ErrorOptions & { readonly retryAfter?: number } = {},
  ) {
    super(message, options)
    this.type = type
    this.retryAfter = retryAfter
  }
}

/** Returns the error for a client that has sent too many requests. */
export function rateExceeded(seconds: number): UserPoolError {
  const message = `Rate exceeded. Try again after ${seconds} seconds.`
  return new UserPoolError('TooManyRequestsException', message, { retryAfter: seconds })
}
