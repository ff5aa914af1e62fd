import type { SourceContext } from '@signalbox/platform-runtime'
import type { MailSettings } from '../../config/mail-settings.ts'
import { bodyWithoutEmptyLine, headerBlock, headerName, headers, hops } from '../../message/header-lines.ts'
import { mailDate, receivedLine } from '../../message/received-line.ts'
import { withoutHeaders } from '../../message/without-headers.ts'
import type { Reply } from '../reply.ts'

/** A mail that a client has transferred. */
export interface TransferredMail {
  /** The address of the sender. Empty for the null sender. */
  readonly from: string
  readonly recipients: readonly string[]
  /** Whether the client used SMTPUTF8. */
  readonly utf8: boolean
  /** Returns one buffer with the bytes of `top`, followed by all bytes of the mail. */
  readonly take: (top: Buffer) => Buffer
  readonly remoteAddress: string
  /** The host name that the client sent with EHLO or HELO. */
  readonly hostname: string
  /** Whether the client used EHLO rather than HELO. */
  readonly isExtended: boolean
  readonly isSecure: boolean
  readonly isTrusted: boolean
  /** Whether the client has authenticated. */
  readonly isAuthenticated: boolean
  /** Returns the reply that refuses the head of the mail. Returns undefined if the client may send the mail. */
  readonly refuse?: ((raw: Buffer) => Reply | undefined) | undefined
}

/** A mail to store. */
export interface IncomingMail {
  /** The unique id. The trace line and the reply to the client contain it. */
  readonly id: string
  /** The address of the sender. Empty for the null sender. */
  readonly from: string
  /** Whether the client used SMTPUTF8. */
  readonly utf8: boolean
  /** The recipients, without duplicates. */
  readonly recipients: readonly string[]
  /** The whole mail, beginning with the trace line of this server. */
  readonly raw: Buffer
}

/** Stores a mail. Resolves when it is durable. */
export type Accept = (mail: IncomingMail) => Promise<void>

/** The parts of a listener that are not settings. */
export interface ListenerContext extends Pick<SourceContext, 'clock' | 'notice'> {
  readonly newId: () => string
}

/** The headers that only the delivering server may set (RFC 5321, 4.4). */
const deliveryHeaders = ['return-path', 'delivered-to']

/** The headers that recipients must not see (RFC 5322, 3.6.3 and 3.6.6). */
const submissionHeaders = ['bcc', 'resent-bcc']

/** A mail with more trace lines is in a loop (RFC 5321, 6.3). */
const hopsLimit = 100

/** Adds an id and a trace line to a transferred mail, stores it, and returns the reply to the client. */
export async function takeMail(
  mail: TransferredMail,
  accept: Accept,
  { name, clock, newId, notice }: Pick<MailSettings, 'name'> & ListenerContext,
): Promise<Reply> {
  const { from, recipients, utf8, isExtended, isSecure, isTrusted, hostname, remoteAddress } = mail
  const id = newId()
  const protocol = utf8 ? 'UTF8SMTP' : isExtended ? 'ESMTP' : 'SMTP'
  const line = receivedLine({
    helo: hostname,
    address: remoteAddress,
    name,
    // RFC 3848 defines the protocol names in trace lines.
    protocol: `${protocol}${isSecure ? 'S' : ''}${mail.isAuthenticated ? 'A' : ''}`,
    id,
    at: clock.wall(),
  })
  const trace = Buffer.from(line)
  const sent = withEmptyLine(mail.take(trace), trace.length)
  const unwanted = isTrusted ? [...deliveryHeaders, ...submissionHeaders] : deliveryHeaders
  // Clients that submit mail may leave the date and the id of a mail to the server (RFC 6409, 8.1 and 8.2).
  const own = isTrusted ? missingHeaders(sent, { date: clock.wall(), messageId: `<${id}@${name}>` }) : ''
  const raw = withoutHeaders(own === '' ? sent : insert(sent, trace.length, own), unwanted)
  const refusal = mail.refuse?.(raw)
  if (refusal !== undefined) return refusal
  // One of the counted trace lines is from this server.
  if (hops(headerBlock(raw)) > hopsLimit + 1)
    return { code: 554, text: `5.4.6 Mail loop: the mail has passed more than ${hopsLimit} servers` }
  try {
    await accept({ id, from, utf8, recipients, raw })
    return { code: 250, text: `2.0.0 Stored as ${id}` }
  } catch (error) {
    notice(`A mail could not be stored: ${error instanceof Error ? error.message : String(error)}`)
    return isFull(error)
      ? { code: 452, text: '4.3.1 No space for the mail, try again later' }
      : { code: 451, text: '4.3.0 The mail could not be stored, try again later' }
  }
}

/** Returns those of the headers Date and Message-ID that a mail lacks. */
function missingHeaders(
  raw: Buffer,
  { date, messageId }: { readonly date: number; readonly messageId: string },
): string {
  const names = new Set(Array.from(headers(headerBlock(raw)), headerName))
  return [
    ...(names.has('date') ? [] : [`Date: ${mailDate(date)}\r\n`]),
    ...(names.has('message-id') ? [] : [`Message-ID: ${messageId}\r\n`]),
  ].join('')
}

/**
 * Adds the empty line between the head and the body of a mail that lacks it. Otherwise some readers would show the body
 * as headers, or not at all. The line `From …`, which mailbox files have on top, becomes a header, as Postfix does it.
 * @param from the position after the trace line, where the client's mail begins
 */
function withEmptyLine(raw: Buffer, from: number): Buffer {
  const isEnvelopeLine = /^>*From /.test(raw.toString('latin1', from, from + 80))
  const mail = isEnvelopeLine ? insert(raw, from, 'X-Mailbox-Line: ') : raw
  const body = bodyWithoutEmptyLine(headerBlock(mail.subarray(from)))
  return body === undefined ? mail : insert(mail, from + body, '\r\n')
}

function insert(raw: Buffer, at: number, text: string): Buffer {
  return Buffer.concat([raw.subarray(0, at), Buffer.from(text), raw.subarray(at)])
}

function isFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { readonly code?: unknown; readonly errcode?: unknown }
  const codes: unknown[] = ['STORAGE_FULL', 'ENOSPC', 'EDQUOT']
  return codes.includes(code) || (code === 'ERR_SQLITE_ERROR' && errcode === sqliteFull)
}

const sqliteFull = 13
