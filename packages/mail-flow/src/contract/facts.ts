import { extension, list, oneOf, optional, required, string } from '@signalbox/codec/wire'
import type { TypeOf } from 'io-ts'
import { describedBy } from './fields.ts'

/** The results of checks, as RFC 8601 (2.7) registers them: docs/contract/mail-flow.md#result.result. */
export const resultWords = [
  'none',
  'pass',
  'fail',
  'softfail',
  'neutral',
  'policy',
  'temperror',
  'permerror',
] as const

/** The fields of `client`: docs/contract/mail-flow.md#client. */
export const clientFields = {
  /** IP address of the client. */
  address: extension(optional(string)),
  /** Host name of the client, if a server in front of the platform has looked it up. */
  name: extension(optional(string)),
  /** Name that the client gave itself in EHLO, HELO or LHLO. */
  helo: extension(optional(string)),
  /** Version of TLS, such as TLSv1.3. Absent for a connection in plain text. */
  tls: extension(optional(string)),
  /** User as whom the client has authenticated. Absent for other clients. */
  user: extension(optional(string)),
}

/** The client that gave a mail to the mail server. */
export const MailClient = describedBy('client', clientFields)
export interface MailClient extends TypeOf<typeof MailClient> {}

/** The fields of an authentication result: docs/contract/mail-flow.md#authentication-results. */
export const authenticationResultFields = {
  /** The result in the words of RFC 8601. */
  result: extension(required(oneOf(...resultWords))),
  /** Domain for which the result holds: of the sender or of HELO, of the signature, or of the author. */
  domain: extension(optional(string)),
  /** What the domain asks for when DMARC fails: none, quarantine or reject. */
  policy: extension(optional(string)),
}

/** The result of one check of the sender of a mail. */
export const AuthenticationResult = describedBy('authentication result', authenticationResultFields)
export interface AuthenticationResult extends TypeOf<typeof AuthenticationResult> {}

/** The fields of `authentication`: docs/contract/mail-flow.md#authentication. */
export const authenticationFields = {
  /** Whether the client may send mail for the domain of the sender (RFC 7208). */
  spf: extension(optional(AuthenticationResult)),
  /** The results of the signatures of the mail (RFC 6376). An unsigned mail has one result, none. */
  dkim: extension(optional(list(AuthenticationResult))),
  /** Whether SPF or a signature holds for the domain of the author (RFC 7489). */
  dmarc: extension(optional(AuthenticationResult)),
}

/** The results of the checks of the sender of a mail. */
export const MailAuthentication = describedBy('authentication', authenticationFields)
export interface MailAuthentication extends TypeOf<typeof MailAuthentication> {}
