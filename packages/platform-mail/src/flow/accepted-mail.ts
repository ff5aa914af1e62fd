import { subjectLimit } from '@signalbox/mail-flow/contract'
import { type Random, randomUuid } from '@signalbox/platform-runtime'
import type { IncomingMail } from '../api/listener.ts'
import type { MailRule, MailSettings } from '../config/mail-settings.ts'
import { directionOf, usualWay } from '../mailboxes.ts'
import type { MailHead } from '../message/mail-head.ts'
import type { NewMail } from '../store/mail-store.ts'
import type { Fate, NewRecipient } from '../store/recipient-rows.ts'

/** Characters of the longest address that there can be: RFC 5321, 4.5.3.1. What is longer is none. */
const longestAddress = 320

/** A mail that came, and what is to become of it: one invocation for each direction that has a rule. */
export function acceptedMail(
  { id, from, recipients, raw }: IncomingMail,
  { sender, subject, flaggedAsSpam: spam }: MailHead,
  settings: Pick<MailSettings, 'mailboxes' | 'relay' | 'rules'>,
  { now, random }: { readonly now: number; readonly random: Random },
): NewMail {
  const rules = new Map(settings.rules.map(rule => [rule.direction, rule]))
  const list = recipients.map((address): NewRecipient => {
    const direction = directionOf(address, settings)
    const usual = usualWay(direction, spam, settings)
    return { address, direction, ...firstFate(rules.get(direction), usual) }
  })
  const asked = [...new Set(list.map(({ direction }) => direction))].flatMap(each => rules.get(each) ?? [])
  return {
    id,
    receivedAt: now,
    from,
    author: sender.length > longestAddress ? '' : sender,
    // One more than an event may have, so that the event can tell that it was cut.
    subject: Array.from(subject.slice(0, 2 * (subjectLimit + 1)))
      .slice(0, subjectLimit + 1)
      .join(''),
    spam,
    report: false,
    raw,
    recipients: list,
    invocations: asked.map(rule => ({ id: randomUuid(random), rule })),
  }
}

function firstFate(rule: MailRule | undefined, usual: NonNullable<Fate['way']>): Fate {
  if (rule === undefined) return { state: 'delivering', way: usual, why: 'no rule is for it' }
  if (rule.mode === 'async')
    return { state: 'delivering', way: usual, why: 'an asynchronous invocation does not affect delivery' }
  return { state: 'undecided', why: `${rule.functionName} has yet to decide` }
}
