import { subjectLimit } from '@signalbox/mail-flow/contract'
import { type Random, randomUuid } from '@signalbox/platform-runtime'
import type { IncomingMail } from '../api/listener.ts'
import type { MailRule, MailSettings } from '../config/mail-settings.ts'
import { matchingRule } from '../matching-rule.ts'
import type { MailHead } from '../message/mail-head.ts'
import { destinationOf, directionOf } from '../routing.ts'
import type { Destination, Disposition, NewMail, NewRecipient } from '../store/mail-store.ts'
import { longestAddress } from './mail-event.ts'

/** Returns the record of an incoming mail for the store, with one invocation for each rule that matches. */
export function acceptedMail(
  { id, from, utf8, recipients, raw }: IncomingMail,
  { sender, subject, flaggedAsSpam: spam }: MailHead,
  settings: Pick<MailSettings, 'domains' | 'relay' | 'rules'>,
  { now, random }: { readonly now: number; readonly random: Random },
): NewMail {
  const invocations = new Map<MailRule, string>()
  const list = recipients.map((address): NewRecipient => {
    const rule = matchingRule(from, address, settings)
    const invocation = rule && (invocations.get(rule) ?? randomUuid(random))
    if (rule !== undefined && invocation !== undefined) invocations.set(rule, invocation)
    const destination = destinationOf(address, 'usual', spam, settings)
    const direction = directionOf(address, settings)
    return { address, direction, invocation, ...firstDisposition(rule, destination) }
  })
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
    utf8,
    raw,
    recipients: list,
    invocations: Array.from(invocations, ([rule, id]) => ({ id, rule })),
  }
}

function firstDisposition(rule: MailRule | undefined, destination: Destination): Disposition {
  if (rule === undefined) return { state: 'delivering', destination, why: 'no rule matches it' }
  if (rule.mode === 'async')
    return { state: 'delivering', destination, why: 'an asynchronous invocation does not affect delivery' }
  return { state: 'undecided', why: `${rule.functionName} has not decided yet` }
}
