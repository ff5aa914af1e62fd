import type { Problem } from '@signalbox/codec'
import { addressKey } from './address.ts'
import type { MailEvent } from './event.ts'
import { outboundRecipientsLimit } from './limits.ts'
import { actionTypes, type MailResponse } from './response.ts'

/**
 * What is wrong with a response because of the mail it is about, beyond its codec: actions for inbound mail on
 * mail that goes out, and more than 500 recipients there (contract, Limits, "Mail flow, synchronous").
 */
export function responseProblems(response: MailResponse, event: MailEvent): Problem[] {
  const problems: Problem[] = []
  if (event.flowDirection !== 'OUTBOUND') return problems
  const named = new Set<string>()
  for (const [position, { action, recipients }] of response.actions.entries()) {
    if (actionTypes[action.type].inboundOnly)
      problems.push({
        pointer: `/actions/${position}/action/type`,
        expected: 'an action that outbound mail can have',
        actual: `string '${action.type}'`,
      })
    for (const recipient of recipients ?? []) named.add(addressKey(recipient))
  }
  if (named.size > outboundRecipientsLimit)
    problems.push({
      pointer: '/actions',
      expected: `at most ${outboundRecipientsLimit} recipients of outbound mail`,
      actual: `${named.size} recipients`,
    })
  return problems
}
