import type { MailSettings } from '../../../config/mail-settings.ts'
import { randomHex } from '../../../random.ts'
import type { SourceContext } from '../../source.ts'
import { headerBlock, hops } from '../message/header-lines.ts'
import { receivedLine } from '../message/received-line.ts'
import type { Conversation } from './conversation.ts'
import type { Reply } from './reply.ts'

/** A mail that a client has handed over whole. */
export interface IncomingMail {
  /** Empty for the null sender. */
  readonly from: string
  /** No two the same. */
  readonly recipients: readonly string[]
  /** With this server's trace line on top. */
  readonly raw: Buffer
}

/** Resolves with the mail's id when it is on the disk. */
export type Accept = (mail: IncomingMail) => Promise<string>

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
  { name, clock, random, notice }: Pick<MailSettings, 'name'> & Omit<SourceContext, 'dispatch'>,
): Promise<Reply> {
  const { from, recipients, utf8 } = conversation.mail
  const { openingCommand, secure, remoteAddress, hostNameAppearsAs } = conversation
  const protocol = utf8 ? 'UTF8SMTP' : openingCommand === 'EHLO' ? 'ESMTP' : 'SMTP'
  const line = receivedLine({
    helo: hostNameAppearsAs || '',
    address: remoteAddress,
    name,
    protocol: secure ? `${protocol}S` : protocol,
    id: randomHex(random, 8),
    at: clock.now(),
  })
  const raw = below(Buffer.from(line))
  // The first of them is ours.
  if (hops(headerBlock(raw)) > hopsLimit + 1)
    return { code: 554, text: `5.4.6 The mail has come through ${hopsLimit} servers, it goes in circles` }
  try {
    const id = await accept({ from, recipients, raw })
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
