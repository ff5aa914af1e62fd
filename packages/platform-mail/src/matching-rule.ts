import { type AddressPattern, moreSpecific } from './address-pattern.ts'
import type { MailSettings, PatternRule } from './config/mail-settings.ts'
import { directionOf, mailboxOf } from './routing.ts'
import type { Direction } from './store/mail-store.ts'

/**
 * Returns the rule for a mail and one of its recipients. When several rules match, the most specific one applies: the
 * rule whose most specific pattern says the most, then the rule whose other pattern does, then the first one.
 * @param from the sender of the envelope, empty for the null sender
 * @param direction the direction of the mail for this recipient, if the domains of the configuration do not decide
 */
export function matchingRule(
  from: string,
  recipient: string,
  settings: Pick<MailSettings, 'domains' | 'rules'>,
  direction: Direction = directionOf(recipient, settings),
): PatternRule | undefined {
  const mailbox = mailboxOf(recipient, settings)
  let best: { readonly rule: PatternRule; readonly scores: readonly (readonly number[])[] } | undefined
  for (const rule of settings.rules) {
    if (rule.direction !== direction) continue
    const [sender] = matching(rule.senders, from, from)
    const [to] = matching(rule.recipients, recipient, mailbox)
    if (sender === undefined || to === undefined) continue
    const scores = [sender, to].sort(moreSpecific)
    if (best === undefined || moreSpecific(scores.flat(), best.scores.flat()) < 0) best = { rule, scores }
  }
  return best?.rule
}

/**
 * Returns how specific the patterns are that match an address, beginning with the most specific one. The rule for a mailbox
 * is also the rule for its aliases and subaddresses, unless they have their own.
 */
function matching(
  patterns: readonly AddressPattern[],
  address: string,
  mailbox: string,
): readonly (readonly number[])[] {
  return patterns
    .filter(({ matches }) => matches(address) || matches(mailbox))
    .map(({ matches, specificity }) => [...specificity, Number(matches(address))])
    .sort(moreSpecific)
}
