import { type ParsedAddress, parseMail } from '@signalbox/mail-flow'
import { inBatches } from '../mailboxes/in-batches.ts'
import type { DeliveredMail, Mailboxes } from '../mailboxes/mailboxes.ts'
import { mailHead } from '../message/mail-head.ts'

/** A delivered mail in a list. */
export interface ListedMail extends DeliveredMail {
  /** The position of the mail in the list, counted from 1. */
  readonly number: number
  readonly sender: string
  readonly subject: string
}

/** The content of a mail, for people to read. */
export interface MailContent {
  readonly from: string
  readonly to: string
  readonly date: string
  readonly text: string
  readonly attachments: readonly {
    readonly filename: string | null
    readonly mimeType: string
    /** The size in bytes. */
    readonly size: number
  }[]
}

/**
 * Returns the mails in one mailbox or in all mailboxes, oldest first, so that a mail keeps its number when new mails
 * arrive.
 * @param show is called with the number of mails that were read so far
 */
export async function deliveredMails(
  { list, readHead }: Mailboxes,
  address?: string,
  show?: (done: number, all: number) => void,
): Promise<readonly ListedMail[]> {
  const listed = (await list(address)).toReversed()
  const mails = await inBatches(
    listed,
    async mail => {
      // The head is undefined if the mail was deleted in the meantime.
      const raw = await readHead(mail).catch(() => undefined)
      return raw && { ...mail, ...mailHead(raw) }
    },
    done => show?.(done, listed.length),
  )
  return mails
    .filter(mail => mail !== undefined)
    .map(({ sender, subject, hops: _, flaggedAsSpam: __, ...mail }, at) => ({
      number: at + 1,
      ...mail,
      sender,
      subject,
    }))
}

/** Reads the content of a mail. A mail that cannot be parsed is shown as raw text. */
export async function contentOf(raw: Buffer): Promise<MailContent> {
  try {
    const { from, to = [], date = '', text, html = '', attachments } = await parseMail(raw)
    return {
      from: from === undefined ? '' : addressText(from),
      to: to.map(addressText).join(', '),
      date,
      text: text ?? html,
      attachments: attachments.map(({ filename, mimeType, content }) => ({
        filename,
        mimeType,
        size: typeof content === 'string' ? content.length : content.byteLength,
      })),
    }
  } catch {
    return { from: '', to: '', date: '', text: raw.toString(), attachments: [] }
  }
}

/** Returns an address with its display name, or the addresses of a group. */
export function addressText({ name, address = '', group }: ParsedAddress): string {
  if (group !== undefined) return `${name}: ${group.map(addressText).join(', ')}`
  return name === '' || name === address ? address : `${name} <${address}>`
}
