/** The claims of a token whose signature, issuer, audience and validity period were checked. */
export interface VerifiedClaims {
  readonly iss: string
  /** The time at which the token expires, in seconds since 1970. */
  readonly exp: number
  readonly [claim: string]: unknown
}
