import { describe, expect, it } from '@jest/globals'
import { DeniedError } from '@signalbox/core'
import { userStack } from './user-stack.ts'

const withStack = (stack: unknown) => Object.assign(new Error('no'), { stack })

describe('userStack()', () => {
  it('returns the stack without the frames of Node and of the platform', () => {
    const caller = new URL('./instance-main.ts', import.meta.url).href
    const stack = [
      'Error: no',
      '    at ship (file:///srv/shop/ship.ts:3:9)',
      '    at async file:///srv/node:odd/order.ts:4:1',
      `    at work (${caller}:79:33)`,
      '    at process.emit (node:events:514:28)',
      '    at async node:internal/modules/esm/loader:647:26',
    ]
    expect(userStack(withStack(stack.join('\n')))).toBe(stack.slice(0, 3).join('\n'))
  })

  it('keeps the whole message', () => {
    expect(userStack(withStack('Error: not node:fs\nmore\n    at here (file:///a.js:1:1)'))).toBe(
      'Error: not node:fs\nmore\n    at here (file:///a.js:1:1)',
    )
  })

  it('includes the first few causes', () => {
    const refused = withStack('Error: refused\n    at net (node:net:1:1)')
    const failed = Object.assign(withStack('TypeError: fetch failed\n    at order (file:///a.js:1:1)'), {
      cause: refused,
    })
    expect(userStack(failed)).toBe(
      'TypeError: fetch failed\n    at order (file:///a.js:1:1)\nCaused by Error: refused',
    )
    refused.cause = refused
    expect(userStack(refused).match(/refused/g)).toHaveLength(4)
  })

  it('includes the first errors of an AggregateError, which has no frames of theirs', () => {
    const errors = [withStack('Error: refused\n    at dial (file:///a.js:1:1)'), 'not an error']
    const all = Object.assign(new AggregateError(errors), { stack: 'AggregateError: all' })
    expect(userStack(all)).toBe(
      'AggregateError: all\nOne of its errors: Error: refused\n    at dial (file:///a.js:1:1)\nOne of its errors: not an error',
    )
    const many = new AggregateError(Array.from({ length: 9 }, () => new Error('no')))
    expect(userStack(many).match(/One of its errors/g)).toHaveLength(5)
  })

  it('returns an empty string for a value without a stack and for a DeniedError', () => {
    const hostile = new Error('no')
    Object.defineProperty(hostile, 'stack', {
      get() {
        throw hostile
      },
    })
    for (const thrown of [
      undefined,
      'no',
      7,
      {},
      withStack(undefined),
      hostile,
      new DeniedError('Staff only'),
    ])
      expect(userStack(thrown)).toBe('')
  })
})
