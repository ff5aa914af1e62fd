import { createHash } from 'node:crypto'
import { deliveryStatus, type FailedRecipient } from './delivery-status.ts'
import { headerBlock, headerName, headers } from './header-lines.ts'
import { quotedPrintable } from './quoted-printable.ts'
import { mailDate } from './received-line.ts'

export type { FailedRecipient } from './delivery-status.ts'

/** A mail that was not delivered to everyone, and what tells about it. */
export interface Failure {
  readonly id: string
  /** The envelope's sender, who gets the report. Never the null sender. */
  readonly from: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  readonly raw: Buffer
  readonly recipients: readonly FailedRecipient[]
  /** What this server calls itself. */
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly reportId: string
}

/**
 * The mail that tells a sender for whom a mail was not delivered: RFC 3464. Three parts: one for people, one for
 * programs, and the headers of the mail. Whatever bytes texts, addresses and headers consist of, they stay in their
 * parts. The same for the same failure.
 */
export async function failureReport(failure: Failure): Promise<Buffer> {
  const { from, raw, recipients, name, now, reportId } = failure
  const text = quotedPrintable(Buffer.from(words(failure))).toString('latin1')
  const original = originalHeaders(raw)
  // Nothing that is quoted-printable has this in it.
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

/** What people read. Recipients for whom the same is said share it, since it may be long. */
function words({ name, receivedAt, recipients }: Failure): string {
  const byText = new Map<string, string[]>()
  for (const { address, text = '' } of recipients) {
    const said = text
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

/** Bytes of the mail's headers that go back; what stands behind them is left out. */
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

/** Whether bytes can stand in a mail without being encoded: lines of ASCII that are not too long. */
function isPlain(bytes: Buffer): boolean {
  return /^(?:[\t\x20-\x7e]{0,998}\r\n)*$/.test(bytes.toString('latin1'))
}

/** Lets mail readers show the report beside the mail. */
function repliesTo(original: Buffer): readonly string[] {
  for (const header of headers(original)) {
    if (headerName(header) !== 'message-id') continue
    const [id] = /<[!-;=?-~]{1,250}>/.exec(header.toString('latin1')) ?? []
    return id === undefined ? [] : [`In-Reply-To: ${id}`, `References: ${id}`]
  }
  return []
}

/** A text that cannot end a line. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, '')
}
