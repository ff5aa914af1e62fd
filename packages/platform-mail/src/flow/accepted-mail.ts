import { subjectLimit } from '@signalbox/mail-flow/contract'
import { type Random, randomUuid } from '@signalbox/platform-runtime'
import type { IncomingMail } from '../api/listener.ts'
import type { MailRule, MailSettings } from '../config/mail-settings.ts'
import type { MailHead } from '../message/mail-head.ts'
import { defaultDestination, directionOf } from '../routing.ts'
import type { Destination, Disposition, NewMail, NewRecipient } from '../store/mail-store.ts'
import { longestAddress } from './mail-event.ts'

/** Returns the record of an incoming mail for the store, with one invocation for each direction that has a rule. */
export function acceptedMail(
  { id, from, recipients, raw }: IncomingMail,
  { sender, subject, flaggedAsSpam: spam }: MailHead,
  settings: Pick<MailSettings, 'mailboxes' | 'relay' | 'rules'>,
  { now, random }: { readonly now: number; readonly random: Random },
): NewMail {
  const rules = new Map(settings.rules.map(rule => [rule.direction, rule]))
  const list = recipients.map((address): NewRecipient => {
    const direction = directionOf(address, settings)
    const destination = defaultDestination(direction, spam, settings)
    return { address, direction, ...firstDisposition(rules.get(direction), destination) }
  })
  const matching = [...new Set(list.map(({ direction }) => direction))].flatMap(each => rules.get(each) ?? [])
  return {
    id,
    receivedAt: now,
    from,
    // One character more than the limit is kept, so that the event shows that the address was too long.
    author: sender.slice(0, longestAddress + 1),
    // One character more than the limit is kept, so that the event shows that the subject was truncated.
    subject: Array.from(subject.slice(0, 2 * (subjectLimit + 1)))
      .slice(0, subjectLimit + 1)
      .join(''),
    spam,
    report: false,
    raw,
    recipients: list,
    invocations: matching.map(rule => ({ id: randomUuid(random), rule })),
  }
}

function firstDisposition(rule: MailRule | undefined, destination: Destination): Disposition {
  if (rule === undefined) return { state: 'delivering', destination, why: 'no rule matches it' }
  if (rule.mode === 'async')
    return { state: 'delivering', destination, why: 'an asynchronous invocation does not affect delivery' }
  return { state: 'undecided', why: `${rule.functionName} has not decided yet` }
}
