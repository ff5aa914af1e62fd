import { describe, expect, it } from '@jest/globals'
import { MailEvent, type MailResponse, mailVerdict } from '@signalbox/mail-flow/contract'
import { arbitraryMailEvent, arbitraryMailResponse } from '@signalbox/mail-flow/testing/arbitrary'
import fc from 'fast-check'
import { json } from '../../fixtures/arbitrary.ts'
import { sesEvent } from '../testing/index.ts'
import { UnsupportedDecisionError } from './decision.ts'
import { mailEventOf, sesRecordOf } from './mail-event.ts'
import { type SesBounce, sesMail } from './ses-mail.ts'

const inbound = arbitraryMailEvent().map((event): MailEvent => ({ ...event, flowDirection: 'INBOUND' }))
const withResponse = inbound.chain(event => fc.tuple(fc.constant(event), arbitraryMailResponse(event)))

/** Returns the disposition and the bounces of a response, or undefined if it is refused. */
async function carriedOut(event: MailEvent, response: MailResponse) {
  const bounces: SesBounce[] = []
  const handler = sesMail(async () => response, { sendBounce: bounce => bounces.push(bounce) })
  try {
    return { answer: await handler(sesEvent(event)), bounces }
  } catch (error) {
    expect(error).toBeInstanceOf(UnsupportedDecisionError)
    return undefined
  }
}

describe('events of SES', () => {
  it('become valid events of the contract with the fields that SES has', () => {
    fc.assert(
      fc.property(inbound, event => {
        const made = mailEventOf(sesEvent(event).Records[0]!, event.invocationId)
        expect(MailEvent.is(made)).toBe(true)
        const { envelope, sender, subject, messageId, invocationId, flowDirection, truncated } = event
        expect(made).toMatchObject({
          ...{ envelope, sender, subject, messageId, invocationId, flowDirection, truncated },
        })
      }),
      { numRuns: 1000 },
    )
  })

  it('are told from all other JSON, and reading one never throws', () => {
    fc.assert(
      fc.property(json, json, (value, part) => {
        expect(sesRecordOf(value)).toBeUndefined()
        const record = sesRecordOf({ Records: [{ eventSource: 'aws:ses', ses: part }] })!
        mailEventOf(record, undefined)
        mailEventOf({ ...record, ses: { mail: part, receipt: part } } as never, 'id')
        mailEventOf(
          {
            ...record,
            ses: { mail: { commonHeaders: part }, receipt: { spfVerdict: part, recipients: part } },
          } as never,
          'id',
        )
      }),
      { numRuns: 1000 },
    )
  })
})

describe('responses for SES', () => {
  it('are carried out exactly as a platform concludes, or refused', async () => {
    await fc.assert(
      fc.asyncProperty(withResponse, async ([event, response]) => {
        fc.pre(event.envelope.recipients.length > 0 && event.envelope.mailFrom.address !== '')
        // Without a limit of actions, at most ten of the generated ones may be unique.
        fc.pre(response.actions.length <= 10)
        const verdict = mailVerdict(JSON.stringify(response), event)
        fc.pre(verdict.kind === 'decided')
        const types = new Set(verdict.recipients.map(({ action }) => action.type))
        const stops = new Set(
          verdict.recipients.map(({ disposition }) => disposition === 'drop' || disposition === 'bounce'),
        )
        const isPossible = stops.size === 1 && !types.has('MOVE_TO_JUNK') && !types.has('BYPASS_SPAM_CHECK')
        const done = await carriedOut(event, response)
        if (!isPossible) return expect(done).toBeUndefined()
        const bounced = verdict.recipients.filter(({ disposition }) => disposition === 'bounce')
        expect(done?.answer).toEqual({ disposition: stops.has(true) ? 'STOP_RULE_SET' : 'CONTINUE' })
        const sent = (done?.bounces ?? []).flatMap(({ recipients, message }) =>
          recipients.map(address => [address, message]),
        )
        expect(new Map(sent as [string, string | undefined][])).toEqual(
          new Map(
            bounced.map(({ address, action }) => [
              address,
              action.type === 'BOUNCE' ? (action.parameters?.bounceMessage ?? undefined) : undefined,
            ]),
          ),
        )
        expect(sent).toHaveLength(bounced.length)
      }),
      { numRuns: 2000 },
    )
  })
})
