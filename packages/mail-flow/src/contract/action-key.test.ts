import { describe, expect, it } from '@jest/globals'
import { actionKey } from './action-key.ts'
import type { MailAction } from './response.ts'

const bounce = (parameters: unknown) => ({ type: 'BOUNCE', parameters }) as MailAction

describe('actionKey', () => {
  it('returns different keys for actions with different types or parameters', () => {
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

  it('returns the same key for missing, null and empty parameters', () => {
    const same = [{ type: 'BOUNCE' } as const, ...[undefined, null, {}, { bounceMessage: null }].map(bounce)]
    expect(new Set(same.map(actionKey))).toEqual(new Set(['BOUNCE']))
  })

  it('ignores the order of parameters, at any depth', () => {
    expect(actionKey(bounce({ a: 1, b: { c: 2, d: [{ e: 3, f: 4 }] } }))).toBe(
      actionKey(bounce({ b: { d: [{ f: 4, e: 3 }], c: 2 }, a: 1 })),
    )
  })

  it('leaves prototypes unchanged when parameters have names such as __proto__', () => {
    actionKey(bounce(JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')))
    expect({}).not.toHaveProperty('polluted')
  })

  it('returns a different key at each call for parameters that are nested too deeply to compare', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)
    expect(actionKey(bounce(deep))).not.toBe(actionKey(bounce(deep)))
  })
})
