import { type MailResponse, responseSizeLimit } from './contract/index.ts'
import { ResponseTooLargeError } from './errors.ts'

/**
 * Refuses a response that has more than 256 KB as JSON in UTF-8 (contract, Limits, "Mail flow, synchronous").
 * @throws ResponseTooLargeError, and TypeError for what JSON cannot carry
 */
export function refuseTooLarge(response: MailResponse): void {
  const size = Buffer.byteLength(JSON.stringify(response))
  if (size > responseSizeLimit) throw new ResponseTooLargeError(size)
}
