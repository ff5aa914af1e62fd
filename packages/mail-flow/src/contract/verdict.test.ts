import { describe, expect, it } from '@jest/globals'
import { errorPayload } from '@signalbox/core/payload'
import fc from 'fast-check'
import { arbitraryMailEvent, arbitraryMailResponse } from '../testing/arbitrary.ts'
import { mailEvent } from '../testing/index.ts'
import type { MailEvent } from './event.ts'
import { retrySchedule } from './retry-schedule.ts'
import { verdictProperty } from './verdict.fuzz.ts'
import { mailVerdict } from './verdict.ts'

const recipients = ['ann@office.example', 'bob@office.example']
const event = mailEvent({ recipients })
const dropAll = { actions: [{ action: { type: 'DROP' }, allRecipients: true }] }

function failure(payload: string | undefined, about: MailEvent = event) {
  const verdict = mailVerdict(payload, about, { fallback: 'BOUNCE' })
  if (verdict.kind !== 'failed') throw new Error(`not failed: ${JSON.stringify(verdict)}`)
  expect(verdict.recipients).toEqual(
    recipients.map(address => ({
      address,
      disposition: 'fallback',
      action: { type: 'BOUNCE' },
      reason: 'failed',
      why: 'the invocation failed',
    })),
  )
  return verdict
}

describe('mailVerdict', () => {
  it('gives each recipient a disposition and a reason', () => {
    expect(mailVerdict(JSON.stringify(dropAll), event)).toEqual({
      kind: 'decided',
      recipients: recipients.map(address => ({
        address,
        disposition: 'drop',
        action: { type: 'DROP' },
        reason: 'all',
        why: 'action 1 (DROP) is for all recipients',
      })),
      unlisted: [],
    })
  })

  it('reports a failed invocation when there is no response within 15 seconds', () => {
    expect(failure(undefined).why).toBe('the function did not respond within 15 seconds')
  })

  it('applies the fallback to all recipients when the function does not respond in time', () => {
    const verdict = mailVerdict(undefined, event, { fallback: 'DROP' })
    expect(verdict.kind).toBe('failed')
    expect(verdict.recipients.map(({ action }) => action)).toEqual([{ type: 'DROP' }, { type: 'DROP' }])
    expect(retrySchedule(3)).toEqual({ retries: [60_000, 180_000], fallbackAt: 180_000 })
  })

  it('depends on the response only in synchronous mode', () => {
    const disposition = (type: string, mode: 'sync' | 'async') =>
      mailVerdict(JSON.stringify({ actions: [{ action: { type }, allRecipients: true }] }), event, { mode })
        .recipients[0]?.disposition
    const types = ['BOUNCE', 'DROP', 'DEFAULT']
    expect(types.map(type => disposition(type, 'sync'))).toEqual(['bounce', 'drop', 'deliver'])
    expect(types.map(type => disposition(type, 'async'))).toEqual(['deliver', 'deliver', 'deliver'])
  })

  it('reports a failed invocation when the payload is an error', () => {
    expect(failure(errorPayload(new RangeError('no'))).why).toBe('the function failed with error no')
  })

  it('reports a failed invocation for a response above 256 KB', () => {
    const padded = (size: number) => {
      const empty = JSON.stringify({ ...dropAll, pad: '' })
      return JSON.stringify({ ...dropAll, pad: 'é'.repeat((size - empty.length) / 2) })
    }
    expect(Buffer.byteLength(padded(262_144))).toBe(262_144)
    expect(mailVerdict(padded(262_144), event).kind).toBe('decided')
    expect(failure(padded(262_146)).why).toBe('the response has 262146 bytes, 2 above the 262144 allowed')
  })

  it.each([
    ['text that is not JSON', '{', 'the payload is not JSON'],
    ['an empty text', '', 'the response breaks the contract'],
    ['null', 'null', 'the response breaks the contract'],
    ['a list', '[]', 'the response breaks the contract'],
    ['an empty list of actions', '{"actions":[]}', 'at least 1 element'],
    ['an unknown type of action', '{"actions":[{"action":{"type":"EXPLODE"}}]}', '/actions/0/action'],
  ])('reports a failed invocation for an invalid response (%s)', (_, payload, why) => {
    expect(failure(payload).why).toContain(why)
  })

  it('names the problems of an invalid response with their pointers', () => {
    const { problems } = failure('{"actions":[{"action":{"type":"DROP"},"recipients":"all"}]}')
    expect(new Set(problems.map(({ pointer }) => pointer))).toEqual(new Set(['/actions/0/recipients']))
    expect(failure('{').problems).toEqual([])
  })

  it('reports a failed invocation for an inbound-only action in a response to outbound mail', () => {
    const payload = '{"actions":[{"action":{"type":"MOVE_TO_JUNK"},"allRecipients":true}]}'
    expect(mailVerdict(payload, event).recipients[0]?.action).toEqual({ type: 'MOVE_TO_JUNK' })
    const outbound = mailEvent({ recipients, outbound: true })
    expect(failure(payload, outbound).problems[0]?.pointer).toBe('/actions/0/action/type')
  })

  it('reports a failed invocation when an action names a recipient that outbound mail does not have', () => {
    const payload = '{"actions":[{"action":{"type":"DROP"},"recipients":["eve@else.example"]}]}'
    const unlisted = (about: MailEvent) => {
      const verdict = mailVerdict(payload, about)
      return verdict.kind === 'decided' ? verdict.unlisted.map(({ address }) => address) : verdict.kind
    }
    expect(unlisted(event)).toEqual(['eve@else.example'])
    expect(unlisted(mailEvent({ recipients, outbound: true, truncated: true }))).toEqual(['eve@else.example'])
    expect(unlisted(mailEvent({ recipients, outbound: true }))).toBe('failed')
  })

  it('applies the fallback action, which is DEFAULT unless an option gives a name or an action', () => {
    const nobody = '{"actions":[{"action":{"type":"DROP"}}]}'
    const action = (options?: Parameters<typeof mailVerdict>[2]) =>
      mailVerdict(nobody, event, options).recipients[0]?.action
    expect(action()).toEqual({ type: 'DEFAULT' })
    expect(action({ fallback: 'DROP' })).toEqual({ type: 'DROP' })
    const full = { type: 'BOUNCE', parameters: { bounceMessage: 'Later' } } as const
    expect(action({ fallback: full })).toEqual(full)
  })

  it('ignores the response of an asynchronous invocation', () => {
    for (const payload of [undefined, '', '{', JSON.stringify(dropAll), errorPayload('no')])
      expect(mailVerdict(payload, event, { mode: 'async', fallback: 'DROP' })).toEqual({
        kind: 'ignored',
        recipients: recipients.map(address => ({
          address,
          disposition: 'deliver',
          action: { type: 'DEFAULT' },
          reason: 'asynchronous',
          why: 'an asynchronous invocation does not affect delivery',
        })),
      })
  })

  it('reports a decision for any valid response', () => {
    const pairs = arbitraryMailEvent().chain(event =>
      fc.tuple(fc.constant(event), arbitraryMailResponse(event)),
    )
    fc.assert(
      fc.property(
        pairs,
        ([event, response]) => mailVerdict(JSON.stringify(response), event).kind === 'decided',
      ),
    )
  })

  it.each([
    ['a huge number', '1e999999'],
    ['duplicate keys', '{"actions":1,"actions":[{"action":{"type":"DROP"}}]}'],
    ['__proto__', '{"__proto__":{"actions":[{"action":{"type":"DROP"}}]}}'],
    [
      'a nested __proto__',
      '{"actions":[{"action":{"type":"BOUNCE","parameters":{"__proto__":{"bounceMessage":1}}}}]}',
    ],
    ['100,000 open brackets', '['.repeat(100_000)],
    ['deeply nested lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    [
      'deeply nested parameters',
      `{"actions":[{"action":{"type":"BOUNCE","parameters":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}}]}`,
    ],
    ['deeply nested actions', `{"actions":${'[{"action":'.repeat(9000)}1${'}]'.repeat(9000)}}`],
  ])('returns a verdict for %s', (_, text) => {
    expect(['decided', 'failed']).toContain(mailVerdict(text, event).kind)
  })

  it('returns a verdict for any string, and changes no prototype', () => {
    const figures = { decided: 0, failed: 0 }
    fc.assert(verdictProperty(figures), { numRuns: 1000 })
    expect(figures.decided).toBeGreaterThan(1)
    expect(figures.failed).toBeGreaterThan(5)
    expect({}).not.toHaveProperty('actions')
  })
})
