import { expect, it } from '@jest/globals'
import { httpValueVerdict, httpVerdict } from '@signalbox/load-balancer/contract'
import { httpEvent } from '@signalbox/load-balancer/testing'
import fc from 'fast-check'
import { plainValue } from './plain-value.ts'

const long = 'x'.repeat(20_000)

it('plainValue() returns a result as if it had been serialized to JSON and parsed', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
      fc.constantFrom('short', long),
      (held, body) => {
        const plain = plainValue({ ...held, body })
        if (plain !== undefined) expect(plain.value).toEqual(JSON.parse(JSON.stringify({ ...held, body })))
      },
    ),
  )
  expect(plainValue({ a: [1, null, { b: undefined }], body: long })?.value).toEqual({
    a: [1, null, {}],
    body: long,
  })
})

it('plainValue() returns the complete JSON of a short result', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), held => {
      const plain = plainValue(held)
      if (plain !== undefined) expect(plain.payload).toBe(JSON.stringify(held))
    }),
  )
  expect(plainValue({ statusCode: 200, body: undefined, headers: { a: '1' } })?.payload).toBe(
    '{"statusCode":200,"headers":{"a":"1"}}',
  )
})

it.each(['short', long])(
  'plainValue() copies a result, so that later changes do not affect it (case %#)',
  body => {
    const answer = { headers: { a: '1' }, body }
    const plain = plainValue(answer)
    answer.headers.a = '2'
    expect(plain?.value).toEqual({ headers: { a: '1' }, body })
  },
)

it('the shortened form of a long result is JSON that truncates long strings and states their lengths', () => {
  const { payload } = plainValue({ statusCode: 200, body: long })!
  expect(JSON.parse(payload)).toEqual({
    statusCode: 200,
    body: `${'x'.repeat(1024)}… (the first of 20000 characters)`,
  })
})

it.each<[string, unknown]>([
  ['is undefined', undefined],
  ['is null', null],
  ['is a number', 7],
  ['is a string', long],
  ['is longer than every contract allows', { body: 'x'.repeat(200_000) }],
  ['has a number that JSON cannot represent', { a: Number.NaN, body: long }],
  ['has a negative zero', { a: -0, body: long }],
  ['has a toJSON() method', { toJSON: () => 1, body: long }],
  ['has a date', { a: new Date(0), body: long }],
  ['has a function', { a: () => 1, body: long }],
  ['has an array that contains undefined', { a: [1, undefined], body: long }],
  ['has an array without a prototype', { a: Object.setPrototypeOf([1], null), body: long }],
  ['has a member named __proto__', JSON.parse(`{"__proto__":1,"body":"${long}"}`)],
  ['has many members', { a: Array.from({ length: 99 }, () => 1), b: [1, 2], body: long }],
  [
    'throws when it is read',
    Object.defineProperty({ body: long }, 'a', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    }),
  ],
])('plainValue() returns undefined for a result that %s', (_, answer) => {
  expect(plainValue(answer)).toBeUndefined()
})

it('a plain value gets the same HTTP verdict as its JSON text', () => {
  const unit = fc.constantFrom('a', 'é', '"', '\n', '\ud83d', '😀')
  const text = fc.string({ unit, maxLength: 50 })
  const field = fc.oneof(fc.constantFrom<unknown>(200, 204, 'no', null, true, false, {}), text)
  fc.assert(
    fc.property(
      fc.record(
        {
          statusCode: fc.oneof(fc.constantFrom(200, 204, 404, 205), field),
          statusDescription: fc.oneof(fc.constant('200 OK'), field),
          isBase64Encoded: fc.oneof(fc.boolean(), field),
          headers: fc.oneof(fc.dictionary(fc.constantFrom('a', 'b'), text), field),
          body: fc.oneof(text, field),
          errorMessage: field,
        },
        { requiredKeys: [] },
      ),
      fc.constantFrom('GET', 'HEAD'),
      (answer, method) => {
        const event = httpEvent(method, '/')
        const { text, ...verdict } = {
          text: undefined,
          ...httpValueVerdict(JSON.parse(JSON.stringify(answer)), event),
        }
        const body = text === undefined ? verdict.body : Buffer.from(text)
        const expected = httpVerdict(JSON.stringify(answer), event)
        expect({ ...verdict, body: Buffer.from(body) }).toEqual({
          ...expected,
          body: Buffer.from(expected.body),
        })
      },
    ),
    { numRuns: 2000 },
  )
})
