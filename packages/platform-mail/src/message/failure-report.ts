import { createHash } from 'node:crypto'
import { deliveryStatus, type FailedRecipient } from './delivery-status.ts'
import { headerBlock, headerName, headers } from './header-lines.ts'
import { quotedPrintable } from './quoted-printable.ts'
import { mailDate } from './received-line.ts'
import { cutBounceText } from './refusal-text.ts'

export type { FailedRecipient } from './delivery-status.ts'

/** A mail that was not delivered to all recipients, and the data for its report. */
export interface Failure {
  readonly id: string
  /** The sender of the envelope, who gets the report. Never the null sender. */
  readonly from: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  readonly raw: Buffer
  readonly recipients: readonly FailedRecipient[]
  /** The name of this server. */
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly reportId: string
}

/**
 * Returns the delivery status notification about a mail (RFC 3464). It has a part for people, a part for
 * programs, and the headers of the mail. No text, address or header can affect other parts. The same input gives
 * the same bytes.
 */
export async function failureReport(failure: Failure): Promise<Buffer> {
  const { from, raw, recipients, name, now, reportId } = failure
  const text = quotedPrintable(Buffer.from(words(failure))).toString('latin1')
  const original = originalHeaders(raw)
  // Encoded parts never contain this string.
  const boundary = `=_${createHash('sha256').update(`${reportId}\n${text}`).update(original).digest('hex')}`
  const asIs = isPlain(original) && !original.includes(boundary)

  const host = oneLine(name)
  return Buffer.from(
    [
      `Date: ${mailDate(now)}`,
      `From: Mail Delivery System <mailer-daemon@${host}>`,
      `To: <${oneLine(from)}>`,
      'Subject: Your mail was not delivered',
      `Message-ID: <${oneLine(reportId)}@${host}>`,
      ...repliesTo(original),
      'Auto-Submitted: auto-replied',
      'MIME-Version: 1.0',
      `Content-Type: multipart/report; report-type=delivery-status;\r\n boundary="${boundary}"`,
      '',
      `--${boundary}`,
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      text,
      `--${boundary}`,
      'Content-Type: message/delivery-status',
      '',
      deliveryStatus(recipients, failure),
      `--${boundary}`,
      'Content-Type: text/rfc822-headers',
      `Content-Transfer-Encoding: ${asIs ? '7bit' : 'quoted-printable'}`,
      '',
      (asIs ? original : quotedPrintable(original)).toString('latin1'),
      `--${boundary}--`,
      '',
    ].join('\r\n'),
  )
}

/** Returns the part of the report that people read. Recipients with the same text share one copy, and a long text is cut. */
function words({ name, receivedAt, recipients }: Failure): string {
  const byText = new Map<string, string[]>()
  for (const { address, text = '' } of recipients) {
    const said = cutBounceText(text)
      .replace(/\r\n?/g, '\n')
      .replace(/[^\P{Cc}\t\n]/gu, '')
      .trim()
    byText.set(said, [...(byText.get(said) ?? []), `  ${oneLine(address)}`])
  }
  const groups = [...byText].map(([text, addresses]) =>
    [addresses.join('\n'), ...(text === '' ? [] : [text])].join('\n\n'),
  )
  return [
    `This is the mail server ${oneLine(name)}. Your mail of ${mailDate(receivedAt)} was not delivered to:`,
    ...groups,
    '',
  ].join('\n\n')
}

/** The maximum number of bytes of the mail's headers in the report. Further headers are omitted. */
const originalLimit = 64 * 1024

function originalHeaders(raw: Buffer): Buffer {
  const block = headerBlock(raw)
  if (block.length <= originalLimit) return block
  let length = 0
  for (const header of headers(block)) {
    if (length + header.length > originalLimit) break
    length += header.length
  }
  return block.subarray(0, length)
}

/** Returns whether bytes need no encoding in a mail, because they are ASCII lines below the length limit. */
function isPlain(bytes: Buffer): boolean {
  return /^(?:[\t\x20-\x7e]{0,998}\r\n)*$/.test(bytes.toString('latin1'))
}

/** Returns headers that make mail readers show the report together with the mail. */
function repliesTo(original: Buffer): readonly string[] {
  for (const header of headers(original)) {
    if (headerName(header) !== 'message-id') continue
    const [id] = /<[!-;=?-~]{1,250}>/.exec(header.toString('latin1')) ?? []
    return id === undefined ? [] : [`In-Reply-To: ${id}`, `References: ${id}`]
  }
  return []
}

/** Returns a string without its line ends. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, '')
}
