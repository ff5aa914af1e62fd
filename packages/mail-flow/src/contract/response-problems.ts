import type { Problem } from '@signalbox/codec'
import { addressKey } from './address.ts'
import type { MailEvent } from './event.ts'
import { outboundRecipientsLimit } from './limits.ts'
import { misspeltFields } from './misspelt-fields.ts'
import { inboundOnlyActions } from './ready.ts'
import { distinctRecipients } from './recipient-verdicts.ts'
import type { MailResponse } from './response.ts'

/**
 * Returns the problems of a response that its codec does not find: misspelt fields and, for outbound mail, actions for
 * inbound mail, more than 500 recipients, and recipients that the mail does not have, unless the event was truncated.
 * See docs/contract/mail-flow.md#verdict.
 */
export function responseProblems(response: MailResponse, event: MailEvent): Problem[] {
  const found = misspeltFields(response)
  if (event.flowDirection === 'INBOUND') return found
  const listed = event.truncated ? undefined : distinctRecipients(event)
  const named = new Set<string>()
  for (const [position, { action, recipients }] of response.actions.entries()) {
    if (inboundOnlyActions.includes(action.type))
      found.push({
        pointer: `/actions/${position}/action/type`,
        expected: 'an action that outbound mail can have',
        actual: `string '${action.type}'`,
      })
    for (const [index, address] of (recipients ?? []).entries()) {
      const who = addressKey(address)
      named.add(who)
      if (listed?.has(who) === false)
        found.push({
          pointer: `/actions/${position}/recipients/${index}`,
          expected: 'a recipient of this mail, which is outbound and not truncated',
          actual: JSON.stringify(address),
        })
    }
  }
  if (named.size > outboundRecipientsLimit)
    found.push({
      pointer: '/actions',
      expected: `at most ${outboundRecipientsLimit} recipients of outbound mail`,
      actual: `${named.size} recipients`,
    })
  return found
}
