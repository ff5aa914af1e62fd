import { SignalboxError } from '@signalbox/core/base'

/** The names of OAuth and OpenID Connect errors. */
type OAuthErrorType =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'unsupported_token_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'invalid_client_metadata'
  | 'invalid_redirect_uri'
  | 'invalid_token'
  | 'temporarily_unavailable'
  | 'request_not_supported'
  | 'request_uri_not_supported'

/** The redirect URI that receives the error of an authorization request. The URI is known to belong to the client. */
export interface ReturnAddress {
  readonly redirectUri: string
  readonly state: string | undefined
}

/** The error that is thrown when a client's request is refused. Its message is for the developers of clients. */
export class OAuthError extends SignalboxError {
  override readonly name = 'OAuthError'
  readonly code = 'OAUTH'
  readonly type: OAuthErrorType
  /** The address that gets the error. Undefined if the error must not be sent to a client. */
  readonly returnTo: ReturnAddress | undefined

  constructor(type: OAuthErrorType, message: string, returnTo?: ReturnAddress) {
    super(message)
    this.type = type
    this.returnTo = returnTo
  }
}
