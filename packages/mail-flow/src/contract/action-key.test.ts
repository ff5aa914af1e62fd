import { describe, expect, it } from '@jest/globals'
import { actionKey } from './action-key.ts'
import type { MailAction } from './response.ts'

const bounce = (parameters: unknown) => ({ type: 'BOUNCE', parameters }) as MailAction

describe('actionKey', () => {
  it('tells types apart, and parameters', () => {
    const actions = [
      { type: 'DROP' },
      { type: 'DEFAULT' },
      { type: 'BOUNCE' },
      bounce({ bounceMessage: '' }),
      bounce({ bounceMessage: 'a' }),
      bounce({ bounceMessage: 'A' }),
      bounce({ bounceMessage: 'a', colour: ['red', null] }),
      bounce({ bounceMessage: 'a', colour: ['red'] }),
    ] as const
    expect(new Set(actions.map(actionKey)).size).toBe(actions.length)
  })

  it('takes no parameters, null and parameters that say nothing for the same', () => {
    const same = [{ type: 'BOUNCE' } as const, ...[undefined, null, {}, { bounceMessage: null }].map(bounce)]
    expect(new Set(same.map(actionKey))).toEqual(new Set(['BOUNCE']))
  })

  it('does not look at the order of parameters, however deep', () => {
    expect(actionKey(bounce({ a: 1, b: { c: 2, d: [{ e: 3, f: 4 }] } }))).toBe(
      actionKey(bounce({ b: { d: [{ f: 4, e: 3 }], c: 2 }, a: 1 })),
    )
  })

  it('pollutes nothing', () => {
    actionKey(bounce(JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')))
    expect({}).not.toHaveProperty('polluted')
  })

  it('takes parameters that nest too deeply to be compared for equal to nothing', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)
    expect(actionKey(bounce(deep))).not.toBe(actionKey(bounce(deep)))
  })
})
