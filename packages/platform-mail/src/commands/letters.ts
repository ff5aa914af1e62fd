import { type ParsedAddress, parseMail } from '@signalbox/mail-flow'
import { inBatches } from '../delivery/in-batches.ts'
import type { DeliveredMail, Maildirs } from '../delivery/maildirs.ts'
import { mailHead } from '../message/mail-head.ts'

/** A delivered mail as a list of them shows it. */
export interface Letter extends DeliveredMail {
  /** Its place in the list, from 1 on. */
  readonly number: number
  readonly sender: string
  readonly subject: string
}

/** What a mail says. */
export interface LetterContent {
  readonly from: string
  readonly to: string
  readonly date: string
  readonly text: string
  readonly attachments: readonly {
    readonly filename: string | null
    readonly mimeType: string
    readonly size: number
  }[]
}

/** Delivered mails, the newest last, so that numbers stay when another comes. */
export async function lettersOf({ list, readHead }: Maildirs, address?: string): Promise<readonly Letter[]> {
  const heads = await inBatches((await list(address)).toReversed(), async mail => {
    // It may have been deleted since it was listed.
    const raw = await readHead(mail).catch(() => undefined)
    return raw && { ...mail, ...mailHead(raw) }
  })
  return heads
    .filter(each => each !== undefined)
    .map(({ sender, subject, hops: _, flaggedAsSpam: __, ...mail }, at) => ({
      number: at + 1,
      ...mail,
      sender,
      subject,
    }))
}

/** What a mail says. A mail that cannot be parsed is shown as it came. */
export async function contentOf(raw: Buffer): Promise<LetterContent> {
  try {
    const { from, to = [], date = '', text, html = '', attachments } = await parseMail(raw)
    return {
      from: from === undefined ? '' : named(from),
      to: to.map(named).join(', '),
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

function named({ name, address = '', group }: ParsedAddress): string {
  if (group !== undefined) return `${name}: ${group.map(named).join(', ')}`
  return name === '' || name === address ? address : `${name} <${address}>`
}
