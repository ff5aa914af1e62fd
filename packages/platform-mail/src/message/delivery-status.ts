import { mailDate } from './received-line.ts'

/** A recipient that did not get a mail. */
export interface FailedRecipient {
  readonly address: string
  /** An enhanced status code such as `5.7.1` (RFC 3463). */
  readonly status: string
  /** The reason, which is the function's text or the relay's reply. */
  readonly text: string | undefined
}

/** The maximum length of a text in the machine-readable part. The human-readable part has more of it. */
const diagnosticLimit = 500

/**
 * Returns the machine-readable part of a report, a `message/delivery-status` (RFC 3464, 2). It is ASCII, and encodes
 * non-ASCII addresses (RFC 6533, 3).
 */
export function deliveryStatus(
  recipients: readonly FailedRecipient[],
  { name, receivedAt }: { readonly name: string; readonly receivedAt: number },
): string {
  const groups = [
    [`Reporting-MTA: dns; ${visible(name)}`, `Arrival-Date: ${mailDate(receivedAt)}`],
    ...recipients.map(({ address, status, text }) => [
      `Final-Recipient: ${typedAddress(address)}`,
      'Action: failed',
      `Status: ${/^[245]\.\d{1,3}\.\d{1,3}$/.test(status) ? status : '5.0.0'}`,
      ...(text === undefined ? [] : [`Diagnostic-Code: ${diagnostic(text)}`]),
    ]),
  ]
  return groups.map(lines => lines.map(line => `${line}\r\n`).join('')).join('\r\n')
}

function typedAddress(address: string): string {
  const plain = address.replace(/\p{Cc}/gu, '')
  if (/^[\x20-\x7e]*$/.test(plain)) return `rfc822; ${plain}`
  const coded = plain.replace(
    /[^!-*,-<>-[\]-~]/gu,
    char => `\\x{${char.codePointAt(0)!.toString(16).toUpperCase().padStart(2, '0')}}`,
  )
  return `utf-8; ${coded}`
}

/** Returns a diagnostic code. Its type is `smtp` for an SMTP reply, and `x-function` for a function's text. */
function diagnostic(text: string): string {
  const type = /^[245]\d\d[ -]/.test(text) ? 'smtp' : 'x-function'
  return `${type}; ${visible(text.slice(0, diagnosticLimit))}`
}

/** Converts text to one line of ASCII. */
function visible(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[^\x20-\x7e]/gu, '?')
    .trim()
}
