import type { MailAuthentication, MailClient } from '@signalbox/mail-flow/contract'
import type { SourceContext } from '@signalbox/platform-runtime'
import { inAcceptSpan } from '@signalbox/platform-runtime/traces'
import type { MailSettings } from '../../config/mail-settings.ts'
import { isResultsOf, resultsHeader, statedResults } from '../../message/authentication-results.ts'
import { bodyWithoutEmptyLine, headerBlock, headerName, headers, hops } from '../../message/header-lines.ts'
import { mailDate, receivedLine } from '../../message/received-line.ts'
import { withoutHeaders } from '../../message/without-headers.ts'
import type { CheckSender } from '../check-sender.ts'
import type { DecideBefore, EarlyDecision } from '../decision.ts'
import type { IncomingMail } from '../incoming-mail.ts'
import type { MailProtocol } from '../protocol.ts'
import type { Reply } from '../reply.ts'
import { acceptedMailSpan, causeInHead } from './accepted-mail-span.ts'
import type { Intake } from './intake.ts'
import { lmtpConclusion, smtpConclusion, storedAs } from './verdict-replies.ts'

/** A mail that a client has transferred. */
export interface TransferredMail {
  /** The address of the sender. Empty for the null sender. */
  readonly from: string
  readonly recipients: readonly string[]
  /** The recipient of each RCPT that was accepted, in order. */
  readonly accepted: readonly string[]
  /** Whether the client used SMTPUTF8. */
  readonly utf8: boolean
  readonly protocol: MailProtocol
  /** Returns one buffer with the bytes of `top`, followed by all bytes of the mail. */
  readonly take: (top: Buffer) => Buffer
  /** What the event says about the client. */
  readonly client: MailClient
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

/**
 * Stores a mail. Resolves when it is durable.
 * @param decided what was decided for the recipients for whom the mail is stored. Without it, rules decide later
 */
export type Accept = (mail: IncomingMail, decided?: EarlyDecision) => Promise<void>

/** The parts of a listener that are not settings. */
export interface ListenerContext extends Pick<SourceContext, 'clock' | 'notice' | 'traces'> {
  readonly newId: () => string
  /** Begins the intake of a mail. Listeners that share it share the memory. Default: each listener has its own. */
  readonly newIntake?: (() => Intake) | undefined
}

/** The headers that only the delivering server may set (RFC 5321, 4.4). */
const deliveryHeaders = ['return-path', 'delivered-to']

/** The headers that recipients must not see (RFC 5322, 3.6.3 and 3.6.6). */
const submissionHeaders = ['bcc', 'resent-bcc']

/** A mail with more trace lines is in a loop (RFC 5321, 6.3). */
const hopsLimit = 100

/** What becomes of transferred mails. */
interface Taking extends ListenerContext {
  readonly settings: Pick<MailSettings, 'name' | 'mixed' | 'authentication'>
  readonly decide?: DecideBefore | undefined
  readonly accept: Accept
  /** Checks the senders of mails. Without it, only what upstream servers state is known. */
  readonly checkSender?: CheckSender | undefined
}

/** Returns the replies that give all recipients of a mail the same reply. */
export function toAll(
  reply: Reply,
  { protocol, accepted }: Pick<TransferredMail, 'protocol' | 'accepted'>,
): readonly Reply[] {
  return protocol === 'lmtp' ? accepted.map(() => reply) : [reply]
}

/**
 * Adds an id and a trace line to a transferred mail, decides on it, stores it, and returns the replies to the client.
 */
export async function takeMail(
  mail: TransferredMail,
  { settings, decide, accept, checkSender, clock, newId, notice, traces }: Taking,
): Promise<readonly Reply[]> {
  const { from, recipients, utf8, isExtended, isSecure, hostname, remoteAddress } = mail
  const { name } = settings
  const id = newId()
  const isLmtp = mail.protocol === 'lmtp'
  const protocol = `${utf8 ? 'UTF8' : isExtended && !isLmtp ? 'E' : ''}${isLmtp ? 'LMTP' : 'SMTP'}`
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
  // A server that hands over mail by LMTP does not submit it.
  const isSubmission = mail.isTrusted && !isLmtp
  const unwanted = isSubmission ? [...deliveryHeaders, ...submissionHeaders] : deliveryHeaders
  // Clients that submit mail may leave the date and the id of a mail to the server (RFC 6409, 8.1 and 8.2).
  const own = isSubmission ? missingHeaders(sent, { date: clock.wall(), messageId: `<${id}@${name}>` }) : ''
  // A server in front of this one, and not one that merely authenticated, may state results.
  const upstream = settings.authentication?.upstream ?? []
  const isUpstream = mail.isTrusted && !mail.isAuthenticated
  const forged = isUpstream
    ? [name.toLowerCase()].filter(each => !upstream.includes(each))
    : [name.toLowerCase(), ...upstream]
  const cleaned = withoutHeaders(
    own === '' ? sent : insert(sent, trace.length, own),
    unwanted,
    // Nobody else may state results in the name of this server (RFC 8601, 5).
    (header, bytes) => isResultsOf(header, bytes, forged),
  )
  const refusal = mail.refuse?.(cleaned)
  if (refusal !== undefined) return toAll(refusal, mail)
  // One of the counted trace lines is from this server.
  if (hops(headerBlock(cleaned)) > hopsLimit + 1)
    return toAll(
      { code: 554, text: `5.4.6 Mail loop: the mail has passed more than ${hopsLimit} servers` },
      mail,
    )
  let raw = cleaned
  let authentication: MailAuthentication | undefined
  if (isUpstream) authentication = statedResults(sent, upstream)
  else if (checkSender !== undefined && !mail.isTrusted) {
    const address = mail.client.address ?? ''
    const helo = mail.client.helo ?? hostname
    authentication = await checkSender({ from, address, helo, raw: sent.subarray(trace.length) })
    raw = insert(cleaned, 0, resultsHeader(name, authentication, from !== ''))
  }
  const facts = {
    ...(Object.keys(mail.client).length > 0 && { client: mail.client }),
    ...(authentication !== undefined && { authentication }),
  }
  const incoming: IncomingMail = { id, from, utf8, facts, recipients, raw }
  const failed = (error: unknown): Reply => {
    notice(`A mail could not be stored: ${error instanceof Error ? error.message : String(error)}`)
    return isFull(error)
      ? { code: 452, text: '4.3.1 No space for the mail, try again later' }
      : { code: 451, text: '4.3.0 The mail could not be stored, try again later' }
  }
  const decideAndAccept = async () => {
    const decision = await decide?.({ ...incoming, sent: sent.subarray(trace.length) })
    const storing = (of?: EarlyDecision) => accept(incoming, of).then(() => storedAs(id), failed)
    if (decision === undefined) return toAll(await storing(), mail)
    const { stored, replies } = isLmtp
      ? lmtpConclusion(decision, mail.accepted, utf8)
      : smtpConclusion(decision, settings, utf8)
    return replies(stored === undefined ? storedAs(id) : await storing(stored))
  }
  // Strangers cannot put their mails into a trace.
  const cause = mail.isTrusted ? causeInHead(raw) : {}
  try {
    return await inAcceptSpan(traces, acceptedMailSpan(id, cause), decideAndAccept)
  } catch (error) {
    return toAll(failed(error), mail)
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
