import type { MailAction } from '@signalbox/mail-flow/contract'
import { smtpConclusion } from '../api/data/verdict-replies.ts'
import type { EarlyDecision } from '../api/decision.ts'
import type { Reply } from '../api/reply.ts'
import type { MailSettings } from '../config/mail-settings.ts'
import { flagSummary, withSpamFlag } from '../message/spam-flag.ts'
import type { ContentChanges, FilteredMail, FilteredRecipient } from './filtered-mail.ts'
import { type SpamFlagChange, spamFlagChange } from './spam-flag-change.ts'

/** The settings that say what happens when one reply cannot say all that was decided. */
export interface ConclusionSettings extends Pick<MailSettings, 'mixed'> {
  /** The subaddress that gets mail for the junk folder when others get the same mail in the inbox. */
  readonly junkSubaddress: string | undefined
}

/** What another mail server is to do with its mail, in any protocol. */
export type Conclusion<Path> =
  | { readonly kind: 'refused'; readonly reply: Reply }
  /** The mail server tells its client that it accepts the mail, and forgets it. */
  | { readonly kind: 'dropped' }
  | ({ readonly kind: 'kept' } & MailChanges<Path>)

/** The changes of a mail that goes on. */
export interface MailChanges<Path> {
  /** The recipients who do not get the mail. */
  readonly removed: readonly FilteredRecipient<Path>[]
  /** Further addresses that get the mail. */
  readonly added: readonly string[]
  readonly spamFlag: SpamFlagChange
  /** The content that a function put in the place of the mail's, with the change of the spam flag. Undefined if none did. */
  readonly content: Buffer | undefined
}

/**
 * Returns what a mail server is to do after a decision: docs/decisions/mail.md#other-mail-servers. What the one reply of SMTP
 * can say is said as over SMTP, and the rest as changes of the mail.
 */
export function conclusionOf<Path>(
  mail: FilteredMail<Path>,
  decision: EarlyDecision,
  settings: ConclusionSettings,
): Conclusion<Path> {
  const [reply] = smtpConclusion(decision, settings, mail.utf8).replies(accepted)
  if (reply !== undefined && reply.code !== accepted.code) return { kind: 'refused', reply }
  const recipients = mail.recipients.map((each, at) => {
    const decided = decision.recipients[at]
    const action: MailAction | undefined = decided?.kind === 'decided' ? decided.action : undefined
    return { ...each, action }
  })
  const kept = recipients.filter(({ action }) => action?.type !== 'BOUNCE' && action?.type !== 'DROP')
  const added = decision.added.filter(({ refusal }) => refusal === undefined)
  // A mail server would accept a mail without recipients, and forget it without a word in its log.
  if (kept.length === 0 && added.length === 0) return { kind: 'dropped' }
  const put = contentIn(decision)
  const problem = put === undefined ? undefined : contentProblem(mail.changes, put)
  // A function that decided when the mail came in another way could change what this mail server cannot.
  if (problem !== undefined) return { kind: 'refused', reply: { code: 451, text: `4.3.5 ${problem}` } }
  const flags = put === undefined ? mail.spamFlags : flagSummary(put)
  const { moved, ...spamFlag } = spamFlagChange({ spamFlags: flags }, kept, settings.junkSubaddress)
  return {
    kind: 'kept',
    removed: [...recipients.filter(each => !kept.includes(each)), ...moved],
    added: [...moved.map(({ to }) => to), ...added.map(({ address }) => address)],
    spamFlag,
    content: put && withFlagChange(put, spamFlag),
  }
}

/** Returns the content that a function put in the place of the mail's, which is the same for all recipients. */
function contentIn({ recipients, added }: EarlyDecision): Buffer | undefined {
  for (const each of recipients) if (each.kind === 'decided' && each.raw !== undefined) return each.raw
  return added.find(({ raw }) => raw !== undefined)?.raw
}

function contentProblem({ frozen, contentProblem }: ContentChanges, content: Buffer): string | undefined {
  return frozen ?? contentProblem?.(content)
}

function withFlagChange(raw: Buffer, { removesAll, isAdded }: SpamFlagChange): Buffer {
  return removesAll || isAdded ? withSpamFlag(raw, isAdded) : raw
}

const accepted: Reply = { code: 250, text: '2.0.0 OK' }

/** The refusal of a mail whose recipients the mail server would have to change, which it does not offer. */
export const noRecipientChanges: Reply = {
  code: 451,
  text: '4.3.5 The mail server does not let its filter change recipients',
}

/** The maximum number of characters of a reply in one line. */
const lineLimit = 400

/** Returns the text of a reply in one line, for mail servers that can send only one. */
export function oneLine({ text, more = [] }: Reply): string {
  return [text, ...more.map(withoutStatus)].join(' ').slice(0, lineLimit)
}

/** Returns a text without the enhanced status code (RFC 3463) at its beginning. */
export function withoutStatus(text: string): string {
  return text.replace(/^\d\.\d{1,3}\.\d{1,3} /, '')
}
