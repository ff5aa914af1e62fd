import PostalMime, { type Address } from 'postal-mime'
import { inBatches } from '../sources/mail/delivery/in-batches.ts'
import type { DeliveredMail, Maildirs } from '../sources/mail/delivery/maildirs.ts'
import { mailHead } from '../sources/mail/message/mail-head.ts'

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
    return raw && { ...mail, ...(await mailHead(raw)) }
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

/** Parts of a mail beyond which nobody has written it, and reading it would take minutes. */
const partsLimit = 5000

function hasTooManyParts(raw: Buffer): boolean {
  let count = 0
  for (const _ of raw.toString('latin1').matchAll(/^--|message\/rfc822/gim))
    if (++count > partsLimit) return true
  return false
}

/** What a mail says, as far as it can be read; a mail that cannot is shown as it came. */
export async function contentOf(raw: Buffer): Promise<LetterContent> {
  const asItCame = () => ({ from: '', to: '', date: '', text: raw.toString(), attachments: [] })
  if (hasTooManyParts(raw)) return asItCame()
  try {
    const { from, to = [], date = '', text, html = '', attachments } = await PostalMime.parse(raw)
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
    return asItCame()
  }
}

function named({ name, address, group }: Address): string {
  if (group !== undefined) return `${name}: ${group.map(named).join(', ')}`
  return name === '' || name === address ? address : `${name} <${address}>`
}
