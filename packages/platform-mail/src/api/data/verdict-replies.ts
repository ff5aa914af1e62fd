import { addressKey } from '@signalbox/mail-flow/contract'
import type { MailSettings } from '../../config/mail-settings.ts'
import { refusalLines } from '../../message/refusal-text.ts'
import type { EarlyDecision, RecipientDecision } from '../decision.ts'
import type { Reply } from '../reply.ts'

/** What the server does with a mail after the decision. */
export interface Conclusion {
  /** The part of the decision for which the mail is stored. Undefined if nothing is stored. */
  readonly stored: EarlyDecision | undefined
  /**
   * Returns the replies.
   * @param accepted the reply for recipients whose mail was stored, or could not be stored
   */
  readonly replies: (accepted: Reply) => readonly Reply[]
}

type Bounced = Extract<RecipientDecision, { readonly kind: 'decided' }>

/** The reply to a mail on which no function has decided yet. */
const later: Reply = { code: 451, text: '4.3.0 The mail cannot be checked now, try again later' }

/** Returns the reply to a mail that was stored with this id. */
export const storedAs = (id: string): Reply => ({ code: 250, text: `2.0.0 Stored as ${id}` })

/** Decides on the one reply that SMTP has for a mail. */
export function smtpConclusion(
  decision: EarlyDecision,
  { mixed }: Pick<MailSettings, 'mixed'>,
  utf8: boolean,
): Conclusion {
  const { recipients } = decision
  const bounced = recipients.filter(isBounced)
  if (bounced.length === recipients.length)
    return { stored: without(decision, () => true), replies: () => [refusalOf(bounced, utf8)] }
  if (bounced.length > 0 && mixed === 'reject') {
    const first = 'The mail was not delivered to anyone, because it is refused for some recipients:'
    return { stored: undefined, replies: () => [refusalOf(bounced, utf8, first)] }
  }
  if (recipients.some(({ kind }) => kind === 'later')) return { stored: undefined, replies: () => [later] }
  const stored = without(decision, () => false)
  const [first] = recipients
  const known = first === undefined || first.kind === 'later' ? undefined : first.storedAs
  return {
    stored,
    replies: accepted => [stored === undefined && known !== undefined ? storedAs(known) : accepted],
  }
}

/**
 * Decides on the replies that LMTP has for each recipient.
 * @param accepted the recipient of each RCPT that was accepted, in order
 */
export function lmtpConclusion(
  decision: EarlyDecision,
  accepted: readonly string[],
  utf8: boolean,
): Conclusion {
  const byAddress = new Map(decision.recipients.map(each => [addressKey(each.address), each]))
  return {
    stored: without(decision, isBounced),
    replies: reply =>
      accepted.map(address => {
        const each = byAddress.get(addressKey(address))!
        if (isBounced(each)) return refusalOf([each], utf8)
        if (each.kind === 'later') return later
        return each.storedAs === undefined ? reply : storedAs(each.storedAs)
      }),
  }
}

function isBounced(each: RecipientDecision): each is Bounced {
  return each.kind === 'decided' && each.action.type === 'BOUNCE'
}

/** Returns what is stored after a decision: without recipients that are refused, that come later, or that were stored. */
function without(
  { recipients, added }: EarlyDecision,
  isRefused: (each: RecipientDecision) => boolean,
): EarlyDecision | undefined {
  const kept = recipients.filter(
    each => each.kind !== 'later' && each.storedAs === undefined && !isRefused(each),
  )
  const more = added.filter(({ storedAs }) => storedAs === undefined)
  const delivers = kept.length > 0 || more.some(({ refusal }) => refusal === undefined)
  return delivers ? { recipients: kept, added: more } : undefined
}

/** The maximum number of recipients that a refusal names for one text. */
const namesLimit = 10

/** Returns the refusal for recipients. It names them when it has several texts, or a first line. */
function refusalOf(bounced: readonly Bounced[], utf8: boolean, first?: string): Reply {
  const byText = new Map<string, string[]>()
  for (const { action, address } of bounced) {
    const text = textOf(action)
    byText.set(text, [...(byText.get(text) ?? []), address])
  }
  const names = byText.size > 1 || first !== undefined
  const texts = Array.from(byText, ([text, addresses]) => (names ? `${list(addresses)}: ${text}` : text))
  const [line = '', ...more] = refusalLines(
    [...(first === undefined ? [] : [first]), ...texts].join('\n'),
    utf8,
  )
  const status = bounced.every(({ failed }) => failed) ? '5.3.0' : '5.7.1'
  return { code: 550, text: `${status} ${line}`, more: more.map(each => `${status} ${each}`) }
}

function textOf(action: Bounced['action']): string {
  const text = action.type === 'BOUNCE' ? (action.parameters?.bounceMessage ?? '') : ''
  return text.trim() === '' ? 'The mail was refused' : text
}

function list(addresses: readonly string[]): string {
  const more = addresses.length - namesLimit
  return addresses.slice(0, namesLimit).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
