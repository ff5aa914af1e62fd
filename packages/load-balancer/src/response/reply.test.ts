import { Readable } from 'node:stream'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from '@jest/globals'
import { problem } from './problem.ts'
import { bytes, created, file, html, json, noContent, redirect, text } from './reply.ts'

it('json() refuses a promise', () => {
  expect(() => json(Promise.resolve(1) as never)).toThrow('json() got a promise: write json(await …)')
})

describe('json() refuses what JSON would show as {}', () => {
  class Tags extends Set {}
  it.each<[string, unknown, string]>([
    ['a Map', new Map([['a', 1]]), 'json() got a Map, which JSON shows as {}: write Object.fromEntries(map)'],
    ['a stream of Node', Readable.from(['a']), 'json() got a stream: read it first'],
    ['a stream in a field', { file: new Blob(['a']).stream() }, 'json(): "file" is a stream: read it first'],
    ['a Set', new Set([1]), 'json() got a Set, which JSON shows as {}: write [...set]'],
    ['an own kind of Set', new Tags([1]), 'json() got a Set, which'],
    [
      'an Error',
      new RangeError('x'),
      'json() got an Error, which JSON shows as {}: write { message: error.message }',
    ],
    ['a Map of another realm', runInNewContext('new Map()'), 'json() got a Map, which'],
    ['web Headers', new Headers({ a: 'b' }), 'json() got a Headers, which JSON shows as {}'],
    ['a query', new URLSearchParams('a=b'), 'json() got a URLSearchParams, which'],
    ['an iterator', [1].values(), 'json() got an Array Iterator, which'],
    ['a Set in a field', { order: { tags: new Set() } }, 'json(): "tags" is a Set, which JSON shows as {}'],
    ['a promise in a list', [1, Promise.resolve()], 'json(): "1" is a Promise, which JSON'],
    ['nothing', undefined, 'json() got nothing, which JSON cannot hold'],
    ['a function', () => 1, 'json() got a function, which JSON cannot hold'],
  ])('%s', (_, value, message) => {
    expect(() => json(value)).toThrow(TypeError)
    expect(() => json(value)).toThrow(message)
    if (value !== undefined) expect(() => created('/', value)).toThrow(message)
  })

  it('in the members of a problem as well', () => {
    expect(() => problem(409, { detail: 'Sold', skus: new Set(['a']) })).toThrow(
      'problem(): "skus" is a Set, which JSON shows as {}',
    )
  })

  it.each<[string, unknown, string]>([
    ['an empty object', {}, '{}'],
    ['objects without a prototype', [Object.create(null), {}], '[{},{}]'],
    ['a plain object of another realm', runInNewContext('({ a: {} })'), '{"a":{}}'],
    ['an object of a class without fields', new (class Nothing {})(), '{}'],
    ['a Map that says what it is in JSON', Object.assign(new Map(), { toJSON: () => ({}) }), '{}'],
    ['an Error with content of its own', Object.assign(new Error('x'), { issues: [] }), '{"issues":[]}'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [
      'a value whose own toJSON has nothing to say',
      { a: { toJSON: () => ({}), tags: new Set() } },
      '{"a":{}}',
    ],
    ['text with {}', ['{}', new Date(0)], '["{}","1970-01-01T00:00:00.000Z"]'],
  ])('but not %s', (_, value, body) => {
    expect(json(value).body).toBe(body)
  })
})

describe('reply helpers refuse', () => {
  it.each<[string, () => unknown, string]>([
    [
      'an unknown option',
      () => json(1, { staus: 201 } as never),
      'A reply has no option "staus". Did you mean status?',
    ],
    [
      'an option that resembles no known option',
      () => text('', { cookie: 'a' } as never),
      'A reply has no option "cookie". The options are status and headers.',
    ],
    ['an unknown option of file()', () => file('', 'a', { header: {} } as never), 'no option "header"'],
    [
      'a file name that is not text',
      () => file('', 7 as never),
      "file(): the name is a number, expected text such as 'report.csv'",
    ],
    ['a file without a name', () => file('', undefined as never), 'file(): the name is nothing, expected'],
    ...[() => text(undefined as never), () => html(undefined as never), () => bytes(undefined as never)].map(
      (make, nth): [string, () => unknown, string] => [
        `no content (${nth})`,
        make,
        'The content of a reply is nothing, expected text or bytes',
      ],
    ),
    ...[new Headers({ a: 'b' }), new Map([['a', 'b']]), [['a', 'b']]].flatMap((headers, at) =>
      [
        () => json(1, { headers: headers as never }),
        () => created('/', 1, { headers: headers as never }),
        () => noContent({ headers: headers as never }),
        () => file('', 'a', { headers: headers as never }),
        () => problem(409, 'Sold', headers as never),
      ].map((make, nth): [string, () => unknown, string] => [
        `headers that are no plain object (${at}, ${nth})`,
        make,
        'expected a plain object: write Object.fromEntries(headers)',
      ]),
    ),
    ['a status in created()', () => created('/', 1, { status: 202 } as never), 'no option "status"'],
    ['a status in noContent()', () => noContent({ status: 205 } as never), 'no option "status"'],
    [
      'a status that does not redirect',
      () => redirect('/', 200 as never),
      'redirect(): status is 200, expected 301, 302, 303, 307 or 308',
    ],
    [
      'a location that is missing',
      () => redirect(undefined as never),
      'The location of a redirect or a new resource is nothing, expected text',
    ],
    [
      'a new resource without a location',
      () => created(7 as never),
      'new resource is a number, expected text',
    ],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })
})

describe('reply helpers', () => {
  it('include json(), which returns a JSON reply', () => {
    expect(json({ a: 1 })).toEqual({
      statusCode: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: '{"a":1}',
    })
    expect(json(null, { status: 202, headers: { 'content-type': 'application/hal+json' } })).toEqual({
      statusCode: 202,
      headers: { 'content-type': 'application/hal+json' },
      body: 'null',
    })
  })

  it('include text() and html(), which return text replies', () => {
    expect(text('hé')).toMatchObject({ headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'hé' })
    expect(html('<p>')).toMatchObject({
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: '<p>',
    })
  })

  it('include bytes(), which returns a binary reply', () => {
    const content = new Uint8Array([1])
    expect(bytes(content)).toMatchObject({
      headers: { 'content-type': 'application/octet-stream' },
      body: content,
    })
  })

  it.each([
    ['report.pdf', 'attachment; filename="report.pdf"'],
    ['my report.pdf', 'attachment; filename="my report.pdf"'],
    ['é"\\/%.pdf', `attachment; filename="_____.pdf"; filename*=UTF-8''%C3%A9%22%5C%2F%25.pdf`],
    [
      "it's (1)*\u0000\r\n",
      `attachment; filename="it's (1)*___"; filename*=UTF-8''it%27s%20%281%29%2A%00%0D%0A`,
    ],
    ['\ud800', `attachment; filename="_"; filename*=UTF-8''%EF%BF%BD`],
  ])('include file(), which encodes the file name %j', (name, disposition) => {
    const reply = file('a,b', name, { headers: { 'content-type': 'text/csv' } })
    expect(reply).toEqual({
      statusCode: 200,
      headers: { 'content-type': 'text/csv', 'content-disposition': disposition },
      body: 'a,b',
    })
  })

  it('include redirect(), which percent-encodes characters that a header cannot carry', () => {
    expect(redirect('/a?b=%20#c')).toEqual({ statusCode: 302, headers: { location: '/a?b=%20#c' } })
    expect(redirect('/café\r\nx: y', 303)).toEqual({
      statusCode: 303,
      headers: { location: '/caf%C3%A9%0D%0Ax:%20y' },
    })
  })

  it('include created(), which accepts a location and an optional body', () => {
    expect(created('/orders/7')).toEqual({ statusCode: 201, headers: { location: '/orders/7' } })
    expect(created('/orders/7', { id: 7 }, { headers: { etag: '"1"' } })).toEqual({
      statusCode: 201,
      headers: { 'content-type': 'application/json; charset=utf-8', location: '/orders/7', etag: '"1"' },
      body: '{"id":7}',
    })
  })

  it('include noContent(), which returns a 204 reply', () => {
    expect(noContent()).toEqual({ statusCode: 204, headers: undefined })
    expect(noContent({ headers: { etag: '"1"' } })).toEqual({ statusCode: 204, headers: { etag: '"1"' } })
  })
})
