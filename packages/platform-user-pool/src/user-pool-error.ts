import { SignalboxError } from '@signalbox/core/base'

/** The errors of user pools by the names that clients know. */
export const userPoolErrorTypes = [
  'AliasExistsException',
  'CodeDeliveryFailureException',
  'CodeMismatchException',
  'DuplicateProviderException',
  'EnableSoftwareTokenMFAException',
  'ExpiredCodeException',
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
  'PasswordResetRequiredException',
  'RefreshTokenReuseException',
  'RequestEntityTooLargeException',
  'RequestTimeoutException',
  'ResourceNotFoundException',
  'SerializationException',
  'ServiceUnavailableException',
  'TooManyRequestsException',
  'UnexpectedLambdaException',
  'UnknownOperationException',
  'UnrecognizedClientException',
  'UnsupportedOperationException',
  'UnsupportedTokenTypeException',
  'SoftwareTokenMFANotFoundException',
  'UserLambdaValidationException',
  'UserNotConfirmedException',
  'UserNotFoundException',
  'UsernameExistsException',
  'AccessDeniedException',
  'WebAuthnChallengeNotFoundException',
  'WebAuthnClientMismatchException',
  'WebAuthnCredentialNotSupportedException',
  'WebAuthnNotEnabledException',
  'WebAuthnOriginNotAllowedException',
] as const

export type UserPoolErrorType = (typeof userPoolErrorTypes)[number]

/** A user pool refused a request. `type` is the error's name for clients, and `message` is meant for them, too. */
export class UserPoolError extends SignalboxError {
  override readonly name = 'UserPoolError'
  readonly code = 'USER_POOL'
  readonly type: UserPoolErrorType

  constructor(type: UserPoolErrorType, message: string, options?: ErrorOptions) {
    super(message, options)
    this.type = type
  }
}
