import type { Problem } from '@signalbox/codec'
import { addressKey } from './address.ts'
import type { MailEvent } from './event.ts'
import { outboundRecipientsLimit } from './limits.ts'
import { misspeltFields } from './misspelt-fields.ts'
import { inboundOnlyActions } from './ready.ts'
import { delivers, distinctRecipients } from './recipient-verdicts.ts'
import type { MailResponse } from './response.ts'

/**
 * Returns the problems in a response that its codec does not find. These are misspelt fields. For outbound mail, they
 * are also inbound-only actions, more than 500 recipients and, unless the event was truncated, recipients that the mail
 * does not have and that the action does not add, because it does not deliver. See docs/contract/mail-flow.md#verdict.
 * @example
 * ```ts
 * import { responseProblems } from '@signalbox/mail-flow/contract'
 * import { mailEvent } from '@signalbox/mail-flow/testing'
 *
 * const response = { actions: [{ allRecipients: true, action: { type: 'DROP' } }] } as const
 * responseProblems(response, mailEvent()) // []
 * ```
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
      if (listed?.has(who) === false && !delivers(action))
        found.push({
          pointer: `/actions/${position}/recipients/${index}`,
          expected: 'a recipient of this mail, because only an action that delivers can add one',
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
