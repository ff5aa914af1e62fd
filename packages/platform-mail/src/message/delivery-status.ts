import { mailDate } from './received-line.ts'

/** Somebody to whom a mail was not delivered. */
export interface FailedRecipient {
  readonly address: string
  /** Such as `5.7.1`: RFC 3463. */
  readonly status: string
  /** What the function, or the next server, says about it. */
  readonly text: string | undefined
}

/** Characters of a text that programs are told; people get all of it. */
const diagnosticLimit = 500

/**
 * What a report says to programs: `message/delivery-status` of RFC 3464, 2, in ASCII whatever the addresses and texts
 * are, with the addresses of RFC 6533, 3.
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

/** A reply of SMTP is one; anything else is said by a function. */
function diagnostic(text: string): string {
  const type = /^[245]\d\d[ -]/.test(text) ? 'smtp' : 'x-function'
  return `${type}; ${visible(text.slice(0, diagnosticLimit))}`
}

/** One line of ASCII. */
function visible(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[^\x20-\x7e]/gu, '?')
    .trim()
}
