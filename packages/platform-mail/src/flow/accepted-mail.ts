import { addressKey, subjectLimit } from '@signalbox/mail-flow/contract'
import { type Random, randomUuid } from '@signalbox/platform-runtime'
import type { EarlyDecision } from '../api/decision.ts'
import type { IncomingMail } from '../api/incoming-mail.ts'
import type { MailRule, MailSettings } from '../config/mail-settings.ts'
import { matchingRule } from '../matching-rule.ts'
import { type MailHead, mailHead } from '../message/mail-head.ts'
import { destinationOf, directionOf } from '../routing.ts'
import type { Destination, Disposition, NewMail, NewRecipient, StoredMail } from '../store/mail-store.ts'
import { addedRecipient } from './added-recipients.ts'
import { dispositionOf } from './disposition.ts'
import { longestAddress } from './mail-event.ts'

/** Returns what the platform keeps of a mail besides its text. */
export function mailSummary(
  { id, from, facts }: Pick<IncomingMail, 'id' | 'from' | 'facts'>,
  { sender, subject, flaggedAsSpam: spam }: MailHead,
): Pick<StoredMail, 'id' | 'from' | 'author' | 'subject' | 'spam' | 'facts'> {
  return {
    id,
    from,
    // One character more than the limit is kept, so that the event shows that the address was too long.
    author: sender.slice(0, longestAddress + 1),
    // One character more than the limit is kept, so that the event shows that the subject was truncated.
    subject: Array.from(subject.slice(0, 2 * (subjectLimit + 1)))
      .slice(0, subjectLimit + 1)
      .join(''),
    spam,
    facts,
  }
}

/** Returns the record of an incoming mail for the store, with one invocation for each rule that matches. */
export function acceptedMail(
  { id, from, utf8, facts, recipients, raw }: IncomingMail,
  settings: Pick<MailSettings, 'domains' | 'relay' | 'rules'>,
  { now, random }: { readonly now: number; readonly random: Random },
  decided?: EarlyDecision,
): NewMail {
  const summary = mailSummary({ id, from, facts }, mailHead(raw))
  const { spam } = summary
  const invocations = new Map<MailRule, string>()
  const undecided = (address: string): NewRecipient => {
    const rule = matchingRule(from, address, settings)
    const invocation = rule && (invocations.get(rule) ?? randomUuid(random))
    if (rule !== undefined && invocation !== undefined) invocations.set(rule, invocation)
    const destination = destinationOf(address, 'usual', spam, settings)
    const direction = directionOf(address, settings)
    return { address, direction, invocation, ...firstDisposition(rule, destination) }
  }
  const list =
    decided === undefined
      ? recipients.map(undecided)
      : decided.recipients.map(each => {
          const { address } = each
          if (each.kind !== 'decided') return undecided(address)
          const direction = directionOf(address, settings)
          return { address, direction, ...dispositionOf(each, each.why, summary, settings) }
        })
  const has = new Set(recipients.map(addressKey))
  for (const each of decided?.added ?? [])
    if (!has.has(addressKey(each.address))) list.push(addedRecipient(each, summary, settings))
  return {
    ...summary,
    receivedAt: now,
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
