import type { MailAction } from '@signalbox/mail-flow/contract'
import { smtpConclusion } from '../api/data/verdict-replies.ts'
import type { EarlyDecision } from '../api/decision.ts'
import type { Reply } from '../api/reply.ts'
import type { MailSettings } from '../config/mail-settings.ts'
import type { FilteredMail, FilteredRecipient } from './arriving-mail.ts'
import { flagChanges } from './flag-changes.ts'
import { type Agreement, actions } from './negotiation.ts'
import { packet } from './packets.ts'

/** The settings that say what a milter does when one reply cannot say all that was decided. */
export interface AnswerSettings extends Pick<MailSettings, 'mixed'> {
  /** The subaddress that gets mail for the junk folder when others get the same mail in the inbox. */
  readonly junkSubaddress: string | undefined
}

/** What the filter answers to a mail. */
export interface Answer {
  /** The packets of the changes and of the reply, in this order. */
  readonly packets: readonly Buffer[]
  /** Whether the mail server keeps the mail, or forgets it without telling its client. */
  readonly isAccepted: boolean
}

/** A recipient with the action that a function chose. Undefined if no function decides on it. */
type Decided = FilteredRecipient & { readonly action: MailAction | undefined }

/**
 * Returns the packets that tell the mail server a decision: docs/decisions/mail.md#milter. What the one reply of SMTP can
 * say is said as over SMTP, and the rest as changes of the mail.
 */
export function answerOf(
  mail: FilteredMail,
  decision: EarlyDecision,
  agreement: Agreement,
  settings: AnswerSettings,
): Answer {
  const [reply] = smtpConclusion(decision, settings, mail.utf8).replies(accepted)
  if (reply !== undefined && reply.code !== accepted.code) return refusal(reply, agreement)
  const recipients = mail.recipients.map((each, at): Decided => {
    const decided = decision.recipients[at]
    return { ...each, action: decided?.kind === 'decided' ? decided.action : undefined }
  })
  const kept = recipients.filter(({ action }) => action?.type !== 'BOUNCE' && action?.type !== 'DROP')
  const added = decision.added.filter(({ refusal }) => refusal === undefined)
  // The mail server would accept a mail without recipients, and forget it without a word in its log.
  if (kept.length === 0 && added.length === 0) return { packets: [packet('d')], isAccepted: true }

  const flags = flagChanges(mail, kept, agreement, settings.junkSubaddress)
  const deleted = recipients.filter(each => !kept.includes(each))
  const removed = [...deleted, ...flags.moved].flatMap(({ paths }) => paths)
  const more = [...flags.moved.map(({ to }) => to), ...added.map(({ address }) => address)]
  const needed =
    (removed.length > 0 ? actions.deleteRecipient : 0) | (more.length > 0 ? actions.addRecipient : 0)
  if ((needed & ~agreement.actions) !== 0) return refusal(notAllowed)
  const packets = [
    ...removed.map(path => packet('-', path, Buffer.alloc(1))),
    ...more.map(address => packet('+', `<${address}>`)),
    ...flags.packets,
    packet('c'),
  ]
  return { packets, isAccepted: true }
}

const accepted: Reply = { code: 250, text: '2.0.0 OK' }

const notAllowed: Reply = {
  code: 451,
  text: '4.3.5 The mail server does not let its filter change recipients',
}

/** The maximum number of characters of a reply in one line. */
const lineLimit = 400

/**
 * Returns the answer that makes the mail server give its client a reply. A percent sign is doubled, because mail servers
 * take it for the beginning of a format. Stalwart does not, and it would send the second line as a reply of its own.
 */
export function refusal(
  { code, text, more = [] }: Reply,
  { hasPlainReplies = false }: Pick<Agreement, 'hasPlainReplies'> = {},
): Answer {
  if (hasPlainReplies) {
    const line = [text, ...more.map(each => each.replace(/^\d\.\d\.\d /, ''))].join(' ')
    return { packets: [packet('y', `${code} ${line.slice(0, lineLimit)}`)], isAccepted: false }
  }
  const lines = [text, ...more].map((line, at) => `${code}${at < more.length ? '-' : ' '}${line}`)
  return { packets: [packet('y', lines.join('\r\n').replaceAll('%', '%%'))], isAccepted: false }
}
