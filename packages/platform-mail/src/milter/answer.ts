import type { Reply } from '../api/reply.ts'
import { type Conclusion, type MailChanges, noRecipientChanges, oneLine } from '../filter/conclusion.ts'
import { flagName } from '../filter/spam-flag-change.ts'
import type { MilterMail } from './arriving-mail.ts'
import { contentPackets } from './content-packets.ts'
import { type Agreement, actions, keepsLeadingSpace } from './negotiation.ts'
import { packet, uint32 } from './packets.ts'

/** What the filter answers to a mail. */
export interface Answer {
  /** The packets of the changes and of the reply, in this order. */
  readonly packets: readonly Buffer[]
  /** Whether the mail server keeps the mail, or forgets it without telling its client. */
  readonly isAccepted: boolean
}

/** Returns the packets that tell the mail server what to do: docs/decisions/mail.md#milter. */
export function answerOf(
  conclusion: Conclusion<Buffer>,
  agreement: Agreement,
  { raw, spamFlags }: Pick<MilterMail, 'raw' | 'spamFlags'>,
): Answer {
  if (conclusion.kind === 'refused') return refusal(conclusion.reply, agreement)
  if (conclusion.kind === 'dropped') return { packets: [packet('d')], isAccepted: true }
  const { removed, added, content } = conclusion
  const needed =
    (removed.length > 0 ? actions.deleteRecipient : 0) | (added.length > 0 ? actions.addRecipient : 0)
  if ((needed & ~agreement.actions) !== 0) return refusal(noRecipientChanges)
  const packets = [
    ...removed.flatMap(({ paths }) => paths).map(path => packet('-', path, Buffer.alloc(1))),
    ...added.map(address => packet('+', `<${address}>`)),
    ...(content === undefined
      ? flagPackets(conclusion, agreement, spamFlags.count)
      : contentPackets(raw, content, agreement)),
    packet('c'),
  ]
  return { packets, isAccepted: true }
}

/** Returns the packets that change the spam flag, as far as the mail server lets its filter change headers. */
function flagPackets(
  { spamFlag }: MailChanges<Buffer>,
  agreement: Agreement,
  count: number,
): readonly Buffer[] {
  const removals = spamFlag.removesAll && (agreement.actions & actions.changeHeader) !== 0 ? count : 0
  const isAdded = spamFlag.isAdded && (agreement.actions & actions.addHeader) !== 0
  return [
    // The last one is removed first, so that the positions of the others stay the same.
    ...Array.from({ length: removals }, (_, at) => packet('m', uint32(removals - at), flagName, '')),
    ...(isAdded ? [packet('i', uint32(0), flagName, keepsLeadingSpace(agreement) ? ' YES' : 'YES')] : []),
  ]
}

/**
 * Returns the answer that makes the mail server give its client a reply. A percent sign is doubled, because mail servers
 * take it for the beginning of a format. Stalwart does not, and it would send the second line as a reply of its own.
 */
export function refusal(reply: Reply, { isStalwart = false }: Pick<Agreement, 'isStalwart'> = {}): Answer {
  const { code, text, more = [] } = reply
  if (isStalwart) return { packets: [packet('y', `${code} ${oneLine(reply)}`)], isAccepted: false }
  const lines = [text, ...more].map((line, at) => `${code}${at < more.length ? '-' : ' '}${line}`)
  return { packets: [packet('y', lines.join('\r\n').replaceAll('%', '%%'))], isAccepted: false }
}
