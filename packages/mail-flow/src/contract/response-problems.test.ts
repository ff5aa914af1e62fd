import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { arbitraryMailEvent, arbitraryMailResponse } from '../testing/arbitrary.ts'
import { mailEvent } from '../testing/index.ts'
import { responseProblems } from './response-problems.ts'

const many = (count: number) => Array.from({ length: count }, (_, i) => `r${i}@office.example`)

describe('responseProblems()', () => {
  it.each(['BYPASS_SPAM_CHECK', 'MOVE_TO_JUNK'] as const)('reports %s only for outbound mail', type => {
    const response = { actions: [{ action: { type: 'DROP' as const } }, { action: { type } }] }
    expect(responseProblems(response, mailEvent())).toEqual([])
    expect(responseProblems(response, mailEvent({ outbound: true }))).toEqual([
      {
        pointer: '/actions/1/action/type',
        expected: 'an action that outbound mail can have',
        actual: `string '${type}'`,
      },
    ])
  })

  it('reports more than 500 recipients of outbound mail', () => {
    const drop = (recipients: readonly string[]) => ({ action: { type: 'DROP' as const }, recipients })
    const to = (count: number) => ({
      actions: [drop(many(count)), drop(['r0@OFFICE.example']), drop([])],
    })
    const outbound = mailEvent({ recipients: many(501), outbound: true })
    expect(responseProblems(to(500), outbound)).toEqual([])
    expect(responseProblems(to(501), outbound)).toEqual([
      { pointer: '/actions', expected: 'at most 500 recipients of outbound mail', actual: '501 recipients' },
    ])
    expect(responseProblems(to(501), mailEvent())).toEqual([])
  })

  it('reports a recipient that a complete event for outbound mail does not list', () => {
    const action = { type: 'DROP' as const }
    const response = {
      actions: [{ action }, { action, recipients: ['r0@OFFICE.example', 'eve@else.example'] }],
    }
    const recipients = many(1)
    expect(responseProblems(response, mailEvent({ recipients }))).toEqual([])
    expect(responseProblems(response, mailEvent({ recipients, outbound: true, truncated: true }))).toEqual([])
    expect(responseProblems(response, mailEvent({ recipients, outbound: true }))).toEqual([
      {
        pointer: '/actions/1/recipients/1',
        expected: 'a recipient of this mail, because only an action that delivers can add one',
        actual: '"eve@else.example"',
      },
    ])
  })

  it('reports no recipient that an action adds to outbound mail', () => {
    const added = { action: { type: 'DEFAULT' as const }, recipients: ['archive@office.example'] }
    const all = { action: { type: 'DEFAULT' as const }, allRecipients: true }
    expect(responseProblems({ actions: [added, all] }, mailEvent({ outbound: true }))).toEqual([])
  })

  it('reports no problems in the responses that arbitraryMailResponse() generates', () => {
    const pairs = arbitraryMailEvent().chain(event =>
      fc.tuple(fc.constant(event), arbitraryMailResponse(event)),
    )
    fc.assert(fc.property(pairs, ([event, response]) => responseProblems(response, event).length === 0))
  })
})
