import type { SourceContext } from '@signalbox/platform-runtime'
import type { MailSettings } from '../config/mail-settings.ts'
import { headerBlock, hops } from '../message/header-lines.ts'
import { receivedLine } from '../message/received-line.ts'
import { withoutHeaders } from '../message/without-headers.ts'
import type { Conversation } from './conversation.ts'
import type { Reply } from './reply.ts'

/** A mail that a client has handed over whole. */
export interface IncomingMail {
  /** No other mail has it. The trace line and the reply to the client say it, too. */
  readonly id: string
  /** Empty for the null sender. */
  readonly from: string
  /** No two the same. */
  readonly recipients: readonly string[]
  /** With this server's trace line on top. */
  readonly raw: Buffer
}

/** Resolves when the mail is on the disk. */
export type Accept = (mail: IncomingMail) => Promise<void>

/** What a listener needs beside its settings. */
export interface ListenerContext extends Pick<SourceContext, 'clock' | 'notice'> {
  readonly newId: () => string
}

/** What only the last server may say of a mail: how it was delivered (RFC 5321, 4.4). */
const deliveryHeaders = ['return-path', 'delivered-to']

/** What a client says to the server that it submits a mail to, and to no recipient (RFC 5322, 3.6.3 and 3.6.6). */
const submissionHeaders = ['bcc', 'resent-bcc']

/** Trace lines that a mail may have before it is taken for one that goes in circles. RFC 5321, 6.3. */
const hopsLimit = 100

/**
 * Hands a mail that has come in whole over to whoever stores it, and answers what the client is told.
 *
 * @param below gives the mail, below what is put on top
 */
export async function takeMail(
  below: (top: Buffer) => Buffer,
  conversation: Conversation,
  accept: Accept,
  { name, clock, newId, notice }: Pick<MailSettings, 'name'> & ListenerContext,
): Promise<Reply> {
  const { from, recipients, utf8 } = conversation.mail
  const { openingCommand, secure, remoteAddress, hostNameAppearsAs } = conversation
  const id = newId()
  const protocol = utf8 ? 'UTF8SMTP' : openingCommand === 'EHLO' ? 'ESMTP' : 'SMTP'
  const line = receivedLine({
    helo: hostNameAppearsAs || '',
    address: remoteAddress,
    name,
    protocol: secure ? `${protocol}S` : protocol,
    id,
    at: clock.now(),
  })
  const unwanted = conversation.isTrusted ? [...deliveryHeaders, ...submissionHeaders] : deliveryHeaders
  const raw = withoutHeaders(below(Buffer.from(line)), unwanted)
  // The first of them is ours.
  if (hops(headerBlock(raw)) > hopsLimit + 1)
    return { code: 554, text: `5.4.6 The mail has come through ${hopsLimit} servers, it goes in circles` }
  try {
    await accept({ id, from, recipients, raw })
    return { code: 250, text: `2.0.0 Stored as ${id}` }
  } catch (error) {
    notice(`A mail could not be stored: ${error instanceof Error ? error.message : String(error)}`)
    return isFull(error)
      ? { code: 452, text: '4.3.1 There is no room for the mail, try again later' }
      : { code: 451, text: '4.3.0 The mail could not be stored, try again later' }
  }
}

function isFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { readonly code?: unknown; readonly errcode?: unknown }
  const codes: unknown[] = ['STORAGE_FULL', 'ENOSPC', 'EDQUOT']
  return codes.includes(code) || (code === 'ERR_SQLITE_ERROR' && errcode === sqliteFull)
}

const sqliteFull = 13
