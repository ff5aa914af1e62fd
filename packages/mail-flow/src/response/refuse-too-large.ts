import { type MailResponse, responseSizeLimit } from '../contract/index.ts'
import { ResponseTooLargeError } from '../errors.ts'

/**
 * Refuses a response above 256 KB of JSON in UTF-8: docs/contract/mail-flow.md#limits.responseSize.
 * @throws ResponseTooLargeError, and TypeError for a value that JSON cannot represent
 */
export function refuseTooLarge(response: MailResponse): void {
  const size = Buffer.byteLength(JSON.stringify(response))
  if (size > responseSizeLimit) throw new ResponseTooLargeError(size)
}
