import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import { headerModes } from '../../fixtures/header-modes.ts'
import type { LoadBalancerEvent } from '../contract/index.ts'
import type { DecodedParts } from '../request/http-request.ts'
import type { HttpError } from '../response/http-error.ts'
import { httpEvent } from '../testing/index.ts'
import { inputCheck, type RouteInput } from './route-input.ts'

const settings = { trustedHops: 1, bodyLimit: 1000 }
const NumberFromText = new t.Type<number, string, unknown>(
  'number in digits',
  t.number.is,
  (u, context) => (typeof u === 'string' && /^\d+$/.test(u) ? t.success(Number(u)) : t.failure(u, context)),
  String,
)

const check = <P, Q, H, B>(input: RouteInput<P, Q, H, B>, event: LoadBalancerEvent, params: unknown = {}) =>
  inputCheck('GET /', input)(event, params, settings)

function failure(run: () => unknown): HttpError {
  try {
    run()
  } catch (error) {
    return error as HttpError
  }
  throw new Error('nothing was thrown')
}

describe.each(headerModes)('inputCheck() with %s', (_headers, multiValue) => {
  it('decodes only the parts of the request that have a codec', () => {
    const event = httpEvent('POST', '/?page=7&tag=a%20b&tag=c', {
      multiValue,
      headers: { 'X-Tenant': 't1' },
      body: { id: 'x' },
    })
    const decoded = check(
      {
        params: t.type({ id: NumberFromText }),
        query: t.type({ page: NumberFromText, tag: t.array(t.string), none: t.array(t.string) }),
        headers: t.type({ 'x-tenant': t.string }),
        body: t.type({ id: t.string }),
      },
      event,
      { id: '8' },
    )
    expect(decoded).toMatchObject({
      params: { id: 8 },
      query: { page: 7, tag: multiValue ? ['a b', 'c'] : ['c'], none: [] },
      headers: { 'x-tenant': 't1' },
      body: { id: 'x' },
    })
    expect(check({}, event)).toEqual({})
  })

  it('uses the last value of a repeated parameter unless the codec expects a list', () => {
    const query = t.type({ a: t.string })
    expect(check({ query }, httpEvent('GET', '/?a=1&a=2', { multiValue }))).toEqual({ query: { a: '2' } })
  })

  it('reads a form as an object when forms are accepted', () => {
    const body = t.type({ name: t.string, tag: t.array(t.string) })
    const form = new URLSearchParams('name=a&name=b+c&tag=1&tag=2')
    const event = httpEvent('POST', '/', { multiValue, body: form })
    expect(check({ body, accepts: ['form'] }, event)).toEqual({ body: { name: 'b c', tag: ['1', '2'] } })
    expect(failure(() => check({ body }, event)).statusCode).toBe(415)
  })

  it('reads each form entry only once, even when the form has many names', () => {
    const body = new URLSearchParams(Array.from({ length: 1000 }, (_, i) => `${i}=`).join('&'))
    const { getAll } = URLSearchParams.prototype
    let walks = 0
    URLSearchParams.prototype.getAll = function (name) {
      walks++
      return getAll.call(this, name)
    }
    try {
      const event = httpEvent('POST', '/', { multiValue, body })
      const decoded = inputCheck('POST /', { body: t.UnknownRecord, accepts: ['form'] })(
        event,
        {},
        { ...settings, bodyLimit: 10_000 },
      )
      expect(Object.keys((decoded as DecodedParts).body as object)).toHaveLength(1000)
    } finally {
      URLSearchParams.prototype.getAll = getAll
    }
    expect(walks).toBe(0)
  })

  it('passes a text body to the codec', () => {
    const event = httpEvent('POST', '/', { multiValue, body: 'a' })
    expect(check({ body: t.string, accepts: ['json', 'text'] }, event)).toEqual({ body: 'a' })
  })

  it('answers 400 with all problems and their JSON pointers, but without values of secret fields', () => {
    const event = httpEvent('POST', '/?page=x', {
      multiValue,
      headers: { authorization: 'Bearer 7777' },
      body: { lines: [{ id: 1 }], password: 8888 },
    })
    const error = failure(() =>
      check(
        {
          params: t.type({ id: NumberFromText }),
          query: t.type({ page: NumberFromText }),
          headers: t.type({ authorization: NumberFromText }),
          body: t.type({ lines: t.array(t.type({ id: t.string })), password: t.string }),
        },
        event,
        { id: 'x' },
      ),
    )
    expect(error).toMatchObject({ statusCode: 400, expose: true })
    expect(error.problems.map(problem => [problem.in, problem.pointer, problem.expected])).toEqual([
      ['params', '/id', 'number in digits'],
      ['query', '/page', 'number in digits'],
      ['headers', '/authorization', 'number in digits'],
      ['body', '/lines/0/id', 'string'],
      ['body', '/password', 'string'],
    ])
    expect(JSON.stringify(error.problems)).not.toMatch(/7777|8888/)
  })

  it('answers 400 for a missing body', () => {
    const error = failure(() =>
      check({ body: t.type({ id: t.string }) }, httpEvent('POST', '/', { multiValue })),
    )
    expect(error.problems).toMatchObject([{ in: 'body', pointer: '' }])
    expect(check({ body: t.union([t.undefined, t.string]) }, httpEvent('POST', '/', { multiValue }))).toEqual(
      {
        body: undefined,
      },
    )
  })

  it('answers 413 for a body above the limit', () => {
    const body = t.array(t.string)
    const sent = (length: number) => httpEvent('POST', '/', { multiValue, body: ['a'.repeat(length - 4)] })
    expect(check({ body }, sent(1000))).toEqual({ body: ['a'.repeat(996)] })
    expect(failure(() => check({ body }, sent(1001))).statusCode).toBe(413)
  })

  it('answers 415 for a kind of body that is not accepted, even without a codec', () => {
    const form = httpEvent('POST', '/', { multiValue, body: new URLSearchParams('a=1') })
    const { body } = check({ accepts: ['form'] }, form) as { body: URLSearchParams }
    expect([...body]).toEqual([['a', '1']])
    expect(failure(() => check({ accepts: ['json'] }, form)).statusCode).toBe(415)
  })

  it('keeps keys such as __proto__', () => {
    const event = httpEvent('POST', '/?__proto__=x&constructor=y', { multiValue })
    const decoded = check({ query: t.UnknownRecord }, event)
    expect(Object.entries((decoded as DecodedParts).query as object)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })
})

it.each([
  ['a body codec with a number', { body: t.type({ count: t.number }) }],
  [
    'a codec with a number for a body that is JSON or a form',
    { body: t.type({ count: t.number }), accepts: ['json', 'form'] },
  ],
  [
    'a query codec whose fields accept strings',
    {
      query: t.type({ limit: t.union([t.number, t.string]), page: NumberFromText, tags: t.array(t.string) }),
    },
  ],
  ['a query codec for any parameters', { query: t.record(t.string, t.number) }],
] as const)('inputCheck() accepts %s', (_, input) => {
  expect(inputCheck('POST /', input as never)).toBeInstanceOf(Function)
})

// A schema of zod before 3.24 has no `~standard`.
const oldSchema = { _def: { typeName: 'ZodObject' }, parse: () => 1 }
const oldWords = 'a schema of zod before 3.24, which does not follow Standard Schema: update zod'

describe('inputCheck() refuses', () => {
  it.each([
    ['an unknown option', { qeury: t.string }, 'GET / has no option "qeury". Did you mean query?'],
    [
      'an unknown kind of body',
      { accepts: ['xml'] },
      'GET / accepts ["xml"], expected some of json, form, text, bytes',
    ],
    ['an empty list of kinds of body', { accepts: [] }, 'GET / accepts []'],
    [
      'a string as the `accepts` option',
      { accepts: 'form' },
      'GET / accepts "form", expected some of json, form, text, bytes',
    ],
    [
      'a string as the body',
      { body: 'json' },
      'GET / has a body that is neither a codec of io-ts nor a Standard Schema: such as t.type({ id: t.string })',
    ],
    [
      'an object with parse() as the query',
      { query: { parse: () => 1 } },
      'GET / has a query that is neither a codec of io-ts nor a Standard Schema',
    ],
    [
      'an object of codecs as the query',
      { query: { limit: t.number } },
      'GET / has a query that is neither a codec of io-ts nor a Standard Schema: write t.type({ … }) around its fields',
    ],
    [
      'a number in the query',
      { query: t.type({ limit: t.number }) },
      'GET /: query.limit is number, but query has text only, so that no request would fit. Use a codec that decodes text, such as NumberFromString',
    ],
    [
      'a boolean in the headers',
      { headers: t.intersection([t.type({ a: t.string }), t.partial({ b: t.boolean })]) },
      'headers.b is boolean',
    ],
    ['an integer in the path', { params: t.exact(t.type({ id: t.Int })) }, 'params.id is Int'],
    ['a number in a form', { body: t.type({ count: t.number }), accepts: ['form'] }, 'body.count is number'],
    [
      'an answer with a status that does not exist',
      { returns: { 2000: t.string } },
      'GET /: returns.2000 is an object, expected a codec, a schema or null for a status from 200 to 599',
    ],
    ['an answer that is no codec', { returns: { 200: 'Order' } }, 'GET /: returns.200 is a string, expected'],
    [
      'an answer that is a schema of an old zod',
      { returns: { 200: oldSchema } },
      `returns.200 is ${oldWords}`,
    ],
    ['a body that is a schema of an old zod', { body: oldSchema }, `it is ${oldWords}`],
    ['a bodyLimit of NaN', { bodyLimit: Number.NaN }, 'GET / has a bodyLimit of NaN'],
  ])('%s', (_, input, message) => {
    expect(() => inputCheck('GET /', input as never)).toThrow(message)
  })
})
