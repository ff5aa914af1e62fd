import { describe, expect, it } from '@jest/globals'
import { mailEvent } from '../testing/index.ts'
import { mailActions } from './mail-actions.ts'
import { warningsOf } from './warnings.ts'

const many = (count: number) => Array.from({ length: count }, (_, i) => `r${i}@office.example`)

describe('the warnings about a response', () => {
  it('name recipients that no action covers', () => {
    const event = mailEvent({ recipients: many(5) })
    expect(mailActions(event).drop(['r3@office.example']).response().warnings).toEqual([
      {
        kind: 'uncovered',
        recipients: ['r0@office.example', 'r1@office.example', 'r2@office.example', 'r4@office.example'],
        message:
          'No action is for "r0@office.example", "r1@office.example", "r2@office.example" and 1 more. ' +
          'The fallback action applies.',
      },
    ])
  })

  it('include one for a truncated event, unless an action is for all recipients', () => {
    const event = mailEvent({ recipients: many(1), truncated: true })
    const named = mailActions(event).drop(many(1)).response()
    expect(named.warnings.map(({ kind, recipients }) => [kind, recipients])).toEqual([['truncated', []]])
    expect(mailActions(event).drop(many(1)).default().response().warnings).toEqual([])
  })

  it('name the recipient of an eleventh action, even one that the event does not list', () => {
    const event = mailEvent({ recipients: [] })
    const actions = mailActions(event, { overflow: 'fallback' })
    for (const [i, address] of many(11).entries()) actions.bounce(`${i}`, [address])
    expect(actions.response().warnings[0]).toMatchObject({
      kind: 'overflow',
      recipients: ['r10@office.example'],
    })
  })

  it('are empty when each recipient has an action', () => {
    const event = mailEvent({ recipients: many(2) })
    expect(mailActions(event).drop(many(1)).default(['r1@office.example']).response().warnings).toEqual([])
  })

  it('are one line each, even when an address contains line breaks', () => {
    const event = mailEvent({ recipients: ['a\r\nmail-flow: all is well@x.example'] })
    const [warning] = mailActions(event).drop(['b@x.example']).response().warnings
    expect(warning?.message).toContain('"a\\r\\nmail-flow: all is well@x.example"')
  })

  it('are not part of the JSON of the response', () => {
    const response = mailActions(mailEvent()).drop(['x@office.example']).response()
    expect(response.warnings).toHaveLength(1)
    expect(JSON.parse(JSON.stringify(response))).not.toHaveProperty('warnings')
  })

  it('are the same for a plain response and for an equal response from a builder', () => {
    const event = mailEvent({ recipients: many(2) })
    const plain = { actions: [{ action: { type: 'DROP' as const }, recipients: many(1) }] }
    expect(warningsOf(plain, event)).toEqual(mailActions(event).drop(many(1)).response().warnings)
  })
})
