import { describe, expect, it } from '@jest/globals'
import type { StandardSchema } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type as ark } from 'arktype'
import * as t from 'io-ts'
import * as v from 'valibot'
import * as z from 'zod'
import * as z3 from 'zod/v3'
import { byType, get, json, loadBalancer, post } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'

const list = t.array(t.string)
/** A codec that does not show what it accepts, such as `nonEmptyArray` of io-ts-types. */
const opaqueList = new t.Type<string[], string[]>('OpaqueList', list.is, list.validate, t.identity)
const number = new t.Type<number, string>(
  'NumberFromText',
  t.number.is,
  (u, c) => (typeof u === 'string' && /^\d+$/.test(u) ? t.success(Number(u)) : t.failure(u, c)),
  String,
)

/** Sends the same text as a query, as headers, as a form and as a multipart form. Returns what the routes got. */
async function received(schema: t.Mixed | StandardSchema, text: string) {
  const codec = schema as t.Mixed
  const form = 'application/x-www-form-urlencoded'
  const handler = signalbox(
    loadBalancer([
      get('/', { query: codec }, ({ query }) => json(query)),
      get('/headers', { headers: codec }, ({ headers }) => json(headers)),
      post('/', { body: codec, accepts: ['form'] }, ({ body }) => json(body)),
      post('/type', { body: byType({ [form]: codec, 'multipart/form-data': codec }) }, ({ body }) =>
        json((body as { content: unknown }).content),
      ),
    ]),
  )
  const ask = async (...[method, path, init]: Parameters<typeof httpEvent>) => {
    const event = httpEvent(method, path, { multiValue: true, ...init })
    const { status, json } = await exchange(handler, event)
    const { problems = [] } = json as { problems?: { pointer: string }[] }
    return status === 200 ? json : problems.map(({ pointer }) => pointer).join()
  }
  const entries = [...new URLSearchParams(text)]
  const parts = new FormData()
  const headers: Record<string, string[]> = {}
  for (const [name, value] of entries) {
    parts.append(name, value)
    headers[name] = [...(headers[name] ?? []), value]
  }
  const packed = new Response(parts)
  const type = { 'content-type': packed.headers.get('content-type')! }
  const bytes = new Uint8Array(await packed.arrayBuffer())
  const { host: _, ...named } = (await ask('GET', '/headers', { headers })) as Record<string, unknown>
  const answers = [await ask('GET', `/?${text}`)]
  // A form without fields is a request without a body.
  if (entries.length > 0) {
    const sent = { body: new URLSearchParams(text), headers: { 'content-type': form } }
    answers.push(await ask('POST', '/', sent), await ask('POST', '/type', sent))
    answers.push(await ask('POST', '/type', { body: bytes, headers: type }))
  }
  for (const answer of answers.slice(1)) expect(answer).toEqual(answers[0])
  if (typeof answers[0] === 'object') expect(named).toMatchObject(answers[0] as object)
  return answers[0]
}

describe('an absent list', () => {
  it.each<[string, t.Mixed | StandardSchema, unknown]>([
    ['gets the default of zod', z.object({ tag: z.array(z.string()).default(['new']) }), { tag: ['new'] }],
    [
      'gets the value that zod catches with',
      z.object({ tag: z.array(z.string()).catch(['x']) }),
      { tag: ['x'] },
    ],
    ['stays absent where zod says optional', z.object({ tag: z.array(z.string()).min(1).optional() }), {}],
    [
      'gets the default of valibot',
      v.object({ tag: v.optional(v.array(v.string()), ['new']) }),
      { tag: ['new'] },
    ],
    ['gets the default of ArkType', ark({ tag: ark('string[]').default(() => ['new']) }), { tag: ['new'] }],
    ['stays absent in t.partial', t.partial({ tag: list }), {}],
    ['stays absent where t.union has undefined', t.type({ tag: t.union([list, t.undefined]) }), {}],
    ['is empty where io-ts requires it', t.type({ tag: list }), { tag: [] }],
    ['is empty where zod requires it', z.object({ tag: z.array(z.string()) }), { tag: [] }],
    ['is empty where ArkType requires it', ark({ tag: 'string[]' }), { tag: [] }],
    [
      'is empty where valibot requires it, beside a problem in another field',
      toStandardJsonSchema(v.object({ tag: v.array(v.string()), q: v.string() })),
      '/q',
    ],
    ['is missing where an empty one is refused', z.object({ tag: z.array(z.string()).min(1) }), '/tag'],
    [
      'is empty where zod requires it and checks the whole object',
      z
        .object({ tag: z.array(z.string()), date: z.coerce.date().optional() })
        .refine(({ tag }) => tag.length > 0),
      '',
    ],
  ])('%s', async (_, schema, expected) => {
    expect(await received(schema, '')).toEqual(expected)
  })
})

describe('a field that is a list', () => {
  const tags = z.array(z.string())
  it.each<[string, t.Mixed | StandardSchema]>([
    ['beside a date', z.object({ tag: tags, since: z.coerce.date().optional() })],
    ['beside a bigint', z.object({ tag: tags, n: z.coerce.bigint().optional() })],
    ['beside a custom check', z.object({ tag: tags, c: z.custom<string>().optional() })],
    ['beside a date of ArkType', ark({ tag: 'string[]', 'since?': 'Date' })],
    [
      'beside a date of valibot',
      toStandardJsonSchema(v.object({ tag: v.array(v.string()), since: v.optional(v.date()) })),
    ],
    ['of valibot, which shows no JSON Schema', v.object({ tag: v.array(v.string()) })],
    ['of zod 3, which shows no JSON Schema', z3.object({ tag: z3.array(z3.string()) })],
    ['that may be null', z.object({ tag: tags.nullable() })],
    [
      'with a reference',
      z.object({ tag: tags.meta({ id: 'Tags' }), more: tags.meta({ id: 'More' }).optional() }),
    ],
    ['in a union', z.union([z.object({ a: z.string() }), z.object({ tag: tags })])],
    [
      'in a discriminated union',
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('x').default('x'), tag: tags }),
        z.object({ kind: z.literal('y'), tag: z.string() }),
      ]),
    ],
    ['in an intersection', z.intersection(z.object({ a: z.string().optional() }), z.object({ tag: tags }))],
    ['behind a transformation', z.object({ tag: tags }).transform(each => each)],
    ['in a codec that does not show it', t.type({ tag: opaqueList })],
    ['in a nullable union of io-ts', t.type({ tag: t.union([list, t.null]) })],
    [
      'in a tagged union of io-ts',
      t.union([t.type({ tag: list }), t.type({ kind: t.literal('y'), tag: t.string })]),
    ],
  ])('%s gets one value and several values as a list', async (name, schema) => {
    if (name === 'in a discriminated union') {
      expect(await received(schema, 'kind=x&tag=a')).toMatchObject({ tag: ['a'] })
      expect(await received(schema, 'kind=y&tag=a')).toMatchObject({ tag: 'a' })
      return
    }
    if (name !== 'in a tagged union of io-ts') expect(await received(schema, 'tag=a')).toEqual({ tag: ['a'] })
    expect(await received(schema, 'tag=a&tag=b')).toEqual({ tag: ['a', 'b'] })
  })
})

describe('a field that is no list only', () => {
  it.each<[string, t.Mixed | StandardSchema]>([
    ['zod', z.object({ tag: z.union([z.string(), z.array(z.string())]).optional() })],
    [
      'zod, behind a transformation',
      z.object({
        tag: z
          .string()
          .or(z.array(z.string()))
          .transform(x => x)
          .optional(),
      }),
    ],
    ['valibot', v.object({ tag: v.optional(v.union([v.string(), v.array(v.string())])) })],
    ['ArkType', ark({ 'tag?': 'string | string[]' })],
    ['io-ts', t.partial({ tag: t.union([t.string, list]) })],
  ])('loses no value where %s takes a string or a list', async (_, schema) => {
    expect(await received(schema, 'tag=a')).toEqual({ tag: 'a' })
    expect(await received(schema, 'tag=a&tag=b')).toEqual({ tag: ['a', 'b'] })
    expect(await received(schema, '')).toEqual({})
  })

  it.each<[string, t.Mixed | StandardSchema, unknown]>([
    ['a text of zod', z.object({ q: z.string() }), { q: 'b' }],
    ['a choice of zod', z.object({ q: z.enum(['a', 'b']) }), { q: 'b' }],
    ['a coerced text of zod', z.object({ q: z.coerce.string() }), { q: 'b' }],
    ['a text of io-ts', t.type({ q: t.string }), { q: 'b' }],
    ['a text of valibot', v.object({ q: v.string() }), { q: 'b' }],
    ['an unknown name beside known ones', t.partial({ other: t.string }), { q: 'b' }],
  ])('gets the last value: %s', async (_, schema, expected) => {
    expect(await received(schema, 'q=a&q=b')).toEqual(expected)
  })

  it('gets the last value if its codec does not show its form and takes no list', async () => {
    expect(await received(t.type({ n: number }), 'n=1&n=2')).toEqual({ n: 2 })
    expect(await received(t.type({ n: number }), 'n=x')).toBe('/n')
    expect(await received(t.type({ n: number, m: number }), 'n=x&m=1&m=2')).toBe('/n')
    expect(await received(t.type({ n: number }), '')).toBe('/n')
  })

  it('gets every value of a record', async () => {
    expect(await received(t.record(t.string, t.union([t.string, list])), 'a=1&a=2&b=3')).toEqual({
      a: ['1', '2'],
      b: '3',
    })
  })
})

it('waits for an asynchronous schema in both forms of a field', async () => {
  const free = async (id: string) => id !== 'taken'
  const schema = v.objectAsync({ tag: v.array(v.string()), id: v.pipeAsync(v.string(), v.checkAsync(free)) })
  expect(await received(schema, 'tag=a&id=b')).toEqual({ tag: ['a'], id: 'b' })
  expect(await received(schema, 'tag=a&id=taken')).toBe('/id')
})

describe('a header in the codec of a route', () => {
  it.each<[string, t.Mixed | StandardSchema]>([
    ['io-ts', t.type({ 'X-Api-Key': t.string, 'X-List': list })],
    ['zod', z.object({ 'X-Api-Key': z.string(), 'X-List': z.array(z.string()) })],
    ['zod 3', z3.object({ 'X-Api-Key': z3.string(), 'X-List': z3.array(z3.string()) })],
    ['valibot', v.object({ 'X-Api-Key': v.string(), 'X-List': v.array(v.string()) })],
    ['ArkType', ark({ 'X-Api-Key': 'string', 'X-List': 'string[]' })],
  ])('may have capitals in its name: %s', async (_, headers) => {
    const route = get('/', { headers: headers as t.Mixed }, ({ headers }) => json(headers))
    const event = httpEvent('GET', '/', { headers: { 'x-api-key': 'k', 'x-list': 'a' }, multiValue: false })
    expect((await exchange(signalbox(loadBalancer([route])), event)).json).toMatchObject({
      'X-Api-Key': 'k',
      'X-List': ['a'],
    })
  })

  it('is found under both spellings if the codec has both', async () => {
    const headers = t.partial({ 'X-Tenant': t.string, 'x-tenant': t.string })
    const route = get('/', { headers }, ({ headers }) => json(headers))
    const event = httpEvent('GET', '/', { headers: { 'x-tenant': 'a' } })
    expect((await exchange(signalbox(loadBalancer([route])), event)).json).toMatchObject({
      'X-Tenant': 'a',
      'x-tenant': 'a',
    })
  })
})

it('a malformed multipart form says so', async () => {
  const body = byType({ 'multipart/form-data': z.object({ a: z.string() }) })
  const handler = signalbox(loadBalancer([post('/', { body }, () => json(1))]))
  const type = { 'content-type': 'multipart/form-data; boundary=x' }
  const { status, json: answer } = await exchange(
    handler,
    httpEvent('POST', '/', { body: 'a=1', headers: type }),
  )
  expect([status, answer]).toMatchObject([
    400,
    { detail: 'The body is not multipart/form-data with the boundary of its content type' },
  ])
})

it('byType() reports what was there in the content', async () => {
  const Order = t.type({ item: t.string, lines: list })
  const body = byType({ 'application/json': z.object({ item: z.string() }), 'application/x+json': Order })
  const handler = signalbox(loadBalancer([post('/', { body }, () => json(1))]))
  const problemsOf = async (type: string, sent: unknown) => {
    const event = httpEvent('POST', '/', { body: JSON.stringify(sent), headers: { 'content-type': type } })
    return ((await exchange(handler, event)).json as { problems: object[] }).problems
  }
  expect(await problemsOf('application/json', { item: 5 })).toEqual([
    { in: 'body', pointer: '/item', expected: 'string', actual: 'number 5' },
  ])
  expect(await problemsOf('application/x+json', { item: 5, lines: [7] })).toEqual([
    { in: 'body', pointer: '/item', expected: 'string', actual: 'number 5' },
    { in: 'body', pointer: '/lines/0', expected: 'string', actual: 'number 7' },
  ])
})
