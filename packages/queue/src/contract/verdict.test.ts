import { describe, expect, it } from '@jest/globals'
import { errorPayload } from '@signalbox/core/payload'
import fc from 'fast-check'
import { arbitraryQueueEvent } from '../testing/arbitrary.ts'
import { queueEvent } from '../testing/index.ts'
import { batchVerdict } from './verdict.ts'

const event = queueEvent({ bodies: ['a', 'b', 'c'] })
const [a, b, c] = event.Records.map(({ messageId }) => messageId)
const verdictOf = (response: unknown) => batchVerdict(JSON.stringify(response) ?? '', event)
const listing = (...items: unknown[]) => verdictOf({ batchItemFailures: items })

describe('a batch succeeds completely', () => {
  it.each([
    ['batchItemFailures is empty', '{"batchItemFailures":[]}', 'batchItemFailures is empty'],
    ['batchItemFailures is null', '{"batchItemFailures":null}', 'batchItemFailures is null'],
    ['batchItemFailures is absent', '{}', 'the response is an empty object'],
    ['the response is empty', '', 'the response is empty'],
    ['the response is blank', ' \n', 'the response is empty'],
    ['the response is null', 'null', 'the response is null'],
  ])('when %s', (_row, payload, why) => {
    expect(batchVerdict(payload, event)).toEqual({ kind: 'success', why })
  })

  it('when the response has keys but no batchItemFailures, and the verdict’s reason names the keys', () => {
    expect(verdictOf({ batchItemFailure: [{ itemIdentifier: a }] })).toEqual({
      kind: 'success',
      why: 'the response has no batchItemFailures, only "batchItemFailure"',
    })
    expect(verdictOf({ v: 1, w: 2, x: 3, y: 4, z: 5 }).why).toBe(
      'the response has no batchItemFailures, only "v", "w", "x" and 2 more',
    )
    expect(verdictOf({ v: 1, w: 2, x: 3 }).why).toBe(
      'the response has no batchItemFailures, only "v", "w", "x"',
    )
  })
})

describe('the whole batch fails', () => {
  it.each([
    ['the response is not JSON', '{"batchItemFailures":[', 'the payload is not JSON'],
    [
      'an itemIdentifier is empty',
      `{"batchItemFailures":[{"itemIdentifier":""}]}`,
      '[0].itemIdentifier is empty',
    ],
    [
      'an itemIdentifier is null',
      `{"batchItemFailures":[{"itemIdentifier":null}]}`,
      '[0].itemIdentifier is null',
    ],
    [
      'an item has a key with a wrong name',
      `{"batchItemFailures":[{"id":"${a}"}]}`,
      '[0] has no itemIdentifier, only "id"',
    ],
    ['an item is an empty object', '{"batchItemFailures":[{}]}', '[0] has no itemIdentifier'],
    [
      'an item names a message that is not in the batch',
      `{"batchItemFailures":[{"itemIdentifier":"zzz"}]}`,
      'is not the id of a message in the batch: "zzz"',
    ],
  ])('when %s', (_row, payload, why) => {
    const verdict = batchVerdict(payload, event)
    expect(verdict.kind).toBe('failure')
    expect(verdict.why).toContain(why)
  })

  it('when one itemIdentifier among several is invalid', () => {
    expect(listing({ itemIdentifier: a }, { itemIdentifier: '' })).toEqual({
      kind: 'failure',
      why: 'batchItemFailures[1].itemIdentifier is empty',
    })
  })

  it('when the invocation failed', () => {
    expect(batchVerdict(errorPayload(new Error('no connection')), event)).toEqual({
      kind: 'failure',
      why: 'the invocation failed: no connection',
    })
  })

  it.each([
    ['a number', 7, 'the response is a number, not an object'],
    ['a string', 'ok', 'the response is a string, not an object'],
    ['a boolean', true, 'the response is a boolean, not an object'],
    ['a list', [{ itemIdentifier: 'x' }], 'the response is a list, not an object'],
  ])('when the response is %s, a case that the contract does not define', (_what, response, why) => {
    expect(verdictOf(response)).toEqual({ kind: 'failure', why })
  })

  it.each([
    ['an object', {}, 'batchItemFailures is an object, not a list'],
    ['a string', '', 'batchItemFailures is a string, not a list'],
    ['false', false, 'batchItemFailures is a boolean, not a list'],
  ])(
    'when batchItemFailures is %s, a case that the contract does not define',
    (_what, batchItemFailures, why) => {
      expect(verdictOf({ batchItemFailures })).toEqual({ kind: 'failure', why })
    },
  )

  it.each([
    ['null', null, 'is null'],
    ['an id instead of an object', a, 'is a string'],
    ['a list', [[a]], 'has no itemIdentifier, only "0"'],
  ])('when an item is %s', (_what, item, why) => {
    expect(listing(item)).toEqual({ kind: 'failure', why: expect.stringContaining(why) })
  })

  it.each([[7], [{}], [true]])('when an itemIdentifier is %j', itemIdentifier => {
    expect(listing({ itemIdentifier })).toEqual({ kind: 'failure', why: expect.stringContaining('not text') })
  })

  it('when an item is an empty object', () => {
    expect(listing({}).why).toBe('batchItemFailures[0] has no itemIdentifier')
  })

  it('with a reason that shows at most the first 60 characters of an id', () => {
    const shown = (length: number) => listing({ itemIdentifier: 'x'.repeat(length) }).why.split(': ')[1]
    expect(shown(60)).toBe(`"${'x'.repeat(60)}"`)
    expect(shown(61)).toBe(`"${'x'.repeat(60)}…"`)
  })
})

describe('a response with batchItemFailures', () => {
  it('fails the one message that it lists', () => {
    expect(listing({ itemIdentifier: b })).toEqual({
      kind: 'partial',
      why: 'batchItemFailures lists 1 message of the batch',
      failed: [b],
    })
  })

  it('fails all messages when it lists all of them', () => {
    const verdict = listing(...[a, b, c].map(itemIdentifier => ({ itemIdentifier })))
    expect(verdict).toEqual({ kind: 'partial', why: expect.any(String), failed: [a, b, c] })
  })

  it('fails a message once, even if it lists the message twice', () => {
    const verdict = listing({ itemIdentifier: b }, { itemIdentifier: a }, { itemIdentifier: b })
    expect(verdict).toEqual({ kind: 'partial', why: expect.any(String), failed: [b, a] })
  })

  it('fails an id once, even if two records share the id', () => {
    const twins = { Records: [{ messageId: 'x' }, { messageId: 'x' }, { messageId: 'y' }] }
    const verdict = batchVerdict('{"batchItemFailures":[{"itemIdentifier":"x"}]}', twins)
    expect(verdict).toEqual({ kind: 'partial', why: expect.any(String), failed: ['x'] })
  })

  it('can contain unknown keys, which the platform ignores', () => {
    const verdict = verdictOf({
      batchItemFailures: [{ itemIdentifier: a, reason: 'x' }],
      batchItemSuccesses: 7,
    })
    expect(verdict.kind).toBe('partial')
  })
})

describe('batchVerdict()', () => {
  const anyKeys = fc.constantFrom('batchItemFailures', 'itemIdentifier', '__proto__', 'constructor', 'x')
  const anyValue = fc.letrec(tie => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(null, '', a, b, 'zzz', 0, -0, 1e308, true),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(anyKeys, tie('value')), { maxLength: 4 }),
    ),
  })).value

  // Writes objects without JSON.stringify, so that keys can occur twice and can be `__proto__`.
  const textOf = (value: unknown): string => {
    if (!Array.isArray(value)) return JSON.stringify(value)
    const pairs = value.length > 0 && value.every(item => Array.isArray(item) && item.length === 2)
    return pairs && typeof value[0][0] === 'string'
      ? `{${value.map(([key, inner]) => `${JSON.stringify(key)}:${textOf(inner)}`).join(',')}}`
      : `[${value.map(textOf).join(',')}]`
  }

  const isVerdict = (payload: string, batch = event): boolean => {
    const verdict = batchVerdict(payload, batch)
    expect(verdict.why).not.toBe('')
    if (verdict.kind === 'partial') {
      const known = batch.Records.map(({ messageId }) => messageId)
      expect(verdict.failed.length).toBeGreaterThan(0)
      expect(new Set(verdict.failed).size).toBe(verdict.failed.length)
      for (const id of verdict.failed) expect(known).toContain(id)
    } else expect(['success', 'failure']).toContain(verdict.kind)
    return true
  }

  it('judges any string without throwing', () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), payload => isVerdict(payload)))
  })

  it('judges JSON that resembles a response, even with hostile keys', () => {
    fc.assert(
      fc.property(anyValue, value => isVerdict(textOf(value))),
      { numRuns: 1000 },
    )
    expect(Object.keys({})).toEqual([])
  })

  it('judges random bytes without throwing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => isVerdict(Buffer.from(bytes).toString('utf8'))),
    )
  })

  it.each([
    ['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['deep nesting inside the list', `{"batchItemFailures":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['a huge number', `{"batchItemFailures":[${'9'.repeat(10_000)}]}`],
    ['a lone surrogate', '{"batchItemFailures":[{"itemIdentifier":"\\ud800"}]}'],
  ])('treats %s as a failure of the whole batch', (_what, payload) => {
    expect(batchVerdict(payload, event).kind).toBe('failure')
  })

  it('returns exactly the ids that the response lists', () => {
    fc.assert(
      fc.property(arbitraryQueueEvent, fc.infiniteStream(fc.boolean()), (batch, flips) => {
        const failed = batch.Records.map(({ messageId }) => messageId).filter(() => flips.next().value)
        const payload = JSON.stringify({
          batchItemFailures: failed.map(itemIdentifier => ({ itemIdentifier })),
        })
        const verdict = batchVerdict(payload, batch)
        if (failed.length === 0) expect(verdict.kind).toBe('success')
        else expect(verdict).toMatchObject({ kind: 'partial', failed })
      }),
    )
  })
})
