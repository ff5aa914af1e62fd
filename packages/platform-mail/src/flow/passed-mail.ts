import { type Random, randomUuid } from '@signalbox/platform-runtime'
import type { EarlyDecision, OfferedMail, RecipientDecision } from '../api/decision.ts'
import type { MailRule, MailSettings } from '../config/mail-settings.ts'
import { matchingRule } from '../matching-rule.ts'
import { mailHead } from '../message/mail-head.ts'
import { directionOf as directionByDomain } from '../routing.ts'
import type { NewMail, NewRecipient } from '../store/mail-store.ts'
import { mailSummary } from './accepted-mail.ts'
import { dispositionOf } from './disposition.ts'

/** A mail that another server keeps, with the decisions for which it is stored. */
export interface PassedMail {
  readonly mail: NewMail
  readonly decided: EarlyDecision
}

/**
 * Returns the record of a mail that another server keeps, and what is left to do for it here: to invoke asynchronous
 * functions, and to report recipients who bounce it. Returns undefined if nothing is left.
 */
export function passedMail(
  { id, from, utf8, facts, raw, directionOf = address => directionByDomain(address, settings) }: OfferedMail,
  { recipients }: EarlyDecision,
  settings: Pick<MailSettings, 'domains' | 'relay' | 'rules'>,
  { now, random }: { readonly now: number; readonly random: Random },
): PassedMail | undefined {
  const ruleOf = (address: string) => matchingRule(from, address, settings, directionOf(address))
  const left = recipients.filter(each => {
    if (each.kind === 'later' || each.storedAs !== undefined) return false
    return each.kind === 'decided' ? each.action.type === 'BOUNCE' : ruleOf(each.address) !== undefined
  })
  if (left.length === 0) return undefined
  const summary = mailSummary({ id, from, facts }, mailHead(raw))
  const invocations = new Map<MailRule, string>()
  const recipientOf = (each: RecipientDecision): NewRecipient => {
    const { address } = each
    const direction = directionOf(address)
    if (each.kind === 'decided')
      return { address, direction, ...dispositionOf(each, each.why, summary, settings) }
    const rule = ruleOf(address)!
    const invocation = invocations.get(rule) ?? randomUuid(random)
    invocations.set(rule, invocation)
    return { address, direction, invocation, state: 'relayed', why: 'the mail server that asked has it' }
  }
  const mail: NewMail = {
    ...summary,
    ...{ receivedAt: now, report: false, utf8, raw, recipients: left.map(recipientOf) },
    invocations: Array.from(invocations, ([rule, id]) => ({ id, rule })),
  }
  return { mail, decided: { recipients: left, added: [] } }
}
