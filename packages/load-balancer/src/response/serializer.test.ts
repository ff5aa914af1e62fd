import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { hopByHopHeaders, httpVerdict, maxResponseBytes } from '../contract/index.ts'
import { arbitraryHttpEvent, arbitraryText } from '../testing/arbitrary.ts'
import { httpEvent } from '../testing/index.ts'
import { bytes, json, type Reply, text } from './reply.ts'
import { serialize } from './serializer.ts'
import { withCookie } from './set-cookie.ts'

const single = httpEvent('GET', '/orders')
const multi = httpEvent('GET', '/orders', { multiValue: true })
const head = httpEvent('HEAD', '/orders')

describe('serialize()', () => {
  it('writes `multiValueHeaders` for a multi-value request, and `headers` for a single-value request', () => {
    expect(serialize(json({ a: 1 }), single)).toEqual({
      statusCode: 200,
      statusDescription: '200 OK',
      isBase64Encoded: false,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: '{"a":1}',
    })
    expect(serialize(json({ a: 1 }), multi)).toEqual({
      statusCode: 200,
      statusDescription: '200 OK',
      isBase64Encoded: false,
      multiValueHeaders: { 'content-type': ['application/json; charset=utf-8'] },
      body: '{"a":1}',
    })
    expect(serialize({ statusCode: 204 }, multi)).toMatchObject({ multiValueHeaders: {} })
    expect(serialize({ statusCode: 204 }, single)).toMatchObject({ headers: {} })
  })

  it('accepts plain responses with the header map of the mode', () => {
    const plain = { statusCode: 200, multiValueHeaders: { 'X-A': ['1', '2'], 'x-b': ['3'] } }
    expect(serialize(plain, multi).multiValueHeaders).toEqual({ 'x-a': ['1', '2'], 'x-b': ['3'] })
    expect(serialize({ statusCode: 200, headers: { 'X-A': ['1', '2'] } }, single).headers).toEqual({
      'x-a': '1, 2',
    })
    expect(() => serialize({ ...plain, headers: null }, single)).toThrow(
      '/headers: expected the headers here, since the target group has multi-value headers off',
    )
  })

  it.each(['link', 'vary', 'www-authenticate', 'x-a', 'set-cookie'])(
    'reads the header %s only from the map that the request’s mode selects, and keeps the order of values',
    name => {
      const headers = { [name]: '<a>', 'x-only': '1' }
      const multiValueHeaders = { [name]: ['<c>', '<b>', '<a>', '<b>'] }
      const both = { statusCode: 200, headers, multiValueHeaders }
      expect(serialize(both, multi).multiValueHeaders).toEqual(multiValueHeaders)
      expect(serialize(both, single).headers).toEqual(headers)
    },
  )

  it('sends only the cookie in `headers`, not the cookies in `multiValueHeaders`, for a single-value request', () => {
    const plain = {
      statusCode: 200,
      headers: { 'set-cookie': 'a=1' },
      multiValueHeaders: { 'set-cookie': ['a=1', 'b=2'] },
    }
    expect(serialize(plain, single).headers).toEqual({ 'set-cookie': 'a=1' })
    expect(serialize(plain, multi).multiValueHeaders).toEqual({ 'set-cookie': ['a=1', 'b=2'] })
  })

  it('merges two spellings of a name, and keeps the last value of a header that HTTP allows only once', () => {
    const twice = json(1, { headers: { 'Content-Type': 'application/hal+json', vary: 'a', Vary: 'b' } })
    expect(serialize(twice, single).headers).toEqual({ 'content-type': 'application/hal+json', vary: 'a, b' })
    expect(serialize(twice, multi).multiValueHeaders).toEqual({
      'content-type': ['application/hal+json'],
      vary: ['a', 'b'],
    })
  })

  it('sends every cookie in order for a multi-value request', () => {
    const plain = {
      statusCode: 200,
      headers: { 'set-cookie': ['c=3', 'a=4'], 'SET-COOKIE': 'd=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT' },
    }
    expect(serialize(plain, multi).multiValueHeaders).toEqual({
      'set-cookie': ['c=3', 'a=4', 'd=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
    })
  })

  it('sends several cookies for a single-value request under different spellings of set-cookie', () => {
    const headers = { 'set-cookie': 'a=1', 'Set-Cookie': 'b=2' }
    expect(serialize({ statusCode: 200, headers }, single).headers).toEqual(headers)
  })

  it('refuses several cookies for a single-value request, and names the setting that allows them', () => {
    const two = withCookie(withCookie(json(1), 'a', 'secret'), 'b', '2')
    expect(() => serialize(two, single)).toThrow('turn on multi-value headers on its target group')
    expect(() => serialize(two, single)).toThrow('GET /orders')
    expect(() => serialize(two, single)).not.toThrow('secret')
  })

  it('sends one cookie for a single-value request when later cookies replace earlier ones', () => {
    const one = { statusCode: 200, headers: { 'set-cookie': ['a=1; Path=/', 'a=2; path=/'] } }
    expect(serialize(one, single).headers).toEqual({ 'set-cookie': 'a=2; path=/' })
  })
})

describe('a serialized response', () => {
  it('has the statusDescription of the reply, or the standard description of its status', () => {
    const described = (reply: Reply) => serialize(reply, single).statusDescription
    expect(described({ statusCode: 404 })).toBe('404 Not Found')
    expect(described({ statusCode: 299 })).toBe('299 Unknown')
    expect(described({ statusCode: 200, statusDescription: '200 Fine' })).toBe('200 Fine')
    expect(described({ statusCode: 200, statusDescription: null as never })).toBe('200 OK')
    expect(described({ statusCode: 200, statusDescription: 'Fine' })).toBe('200 Fine')
  })

  it('does not have a statusDescription that begins with another status', () => {
    const described = (reply: Reply) => serialize(reply, single).statusDescription
    expect(described({ statusCode: 404, statusDescription: '200 OK' })).toBe('404 Not Found')
  })

  it('contains bytes as Base64, and text unchanged', () => {
    const content = new Uint8Array([9, 0, 255, 9]).subarray(1, 3)
    expect(serialize(bytes(content), single)).toMatchObject({ isBase64Encoded: true, body: 'AP8=' })
    expect(serialize(text('hé'), single)).toMatchObject({ isBase64Encoded: false, body: 'hé' })
    const encoded = { statusCode: 200, body: 'AP8=', isBase64Encoded: true }
    expect(serialize(encoded, single)).toMatchObject({ isBase64Encoded: true, body: 'AP8=' })
  })

  it('has a content-type with a charset by default', () => {
    const typeOf = (reply: Reply) => serialize(reply, single).headers?.['content-type']
    expect(typeOf({ statusCode: 200, body: 'a' })).toBe('text/plain; charset=utf-8')
    expect(typeOf({ statusCode: 200, body: new Uint8Array(1) })).toBe('application/octet-stream')
    expect(typeOf({ statusCode: 200, body: 'AP8=', isBase64Encoded: true })).toBe('application/octet-stream')
    expect(typeOf({ statusCode: 200, body: 'a', headers: { 'Content-Type': 'text/csv' } })).toBe('text/csv')
    expect(typeOf({ statusCode: 200 })).toBeUndefined()
  })

  it('has neither content-length nor hop-by-hop headers', () => {
    const headers = Object.fromEntries(
      [...hopByHopHeaders, 'Connection', 'Content-Length'].map(name => [name, '1']),
    )
    for (const event of [single, multi]) {
      const { headers: sent, multiValueHeaders } = serialize({ statusCode: 200, headers }, event)
      expect(sent ?? multiValueHeaders).toEqual({})
    }
  })

  it('omits null and undefined header values, and contains numbers and booleans as strings', () => {
    const headers = { a: null, b: undefined, c: 0, d: [1, 'x', false], e: [], f: true }
    expect(serialize({ statusCode: 200, headers }, single).headers).toEqual({
      c: '0',
      d: '1, x, false',
      f: 'true',
    })
    expect(serialize({ statusCode: 200, headers }, multi).multiValueHeaders).toEqual({
      c: ['0'],
      d: ['1', 'x', 'false'],
      f: ['true'],
    })
  })

  it('has no body for HEAD, 204, 205 and 304', () => {
    expect(serialize(json(1), head)).toEqual({
      statusCode: 200,
      statusDescription: '200 OK',
      isBase64Encoded: false,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    })
    for (const statusCode of [204, 205, 304]) {
      const empty = serialize({ statusCode, body: new Uint8Array(1) }, single)
      expect(empty).not.toHaveProperty('body')
      expect(empty).toMatchObject({ isBase64Encoded: false, headers: {} })
    }
    for (const body of ['', null, undefined, new Uint8Array()]) {
      expect(serialize({ statusCode: 200, body }, single)).not.toHaveProperty('body')
    }
  })

  it('is never made from a reply with an invalid body, not even when HEAD or 204 would drop the body', () => {
    for (const event of [single, head])
      expect(() => serialize({ statusCode: 204, body: ' ', isBase64Encoded: true }, event)).toThrow('/body')
  })

  it('has only fields that the contract defines', () => {
    const { headers, ...rest } = serialize({ statusCode: 200, cookies: [], json: {} } as never, single)
    expect({ headers, ...rest }).toEqual(serialize({ statusCode: 200 }, single))
  })

  it('keeps headers whose names are also properties of Object.prototype', () => {
    const headers = { constructor: '1', toString: ['2', '3'], valueOf: 4 } as never
    expect(Object.entries(serialize({ statusCode: 200, headers }, single).headers!)).toEqual([
      ['constructor', '1'],
      ['tostring', '2, 3'],
      ['valueof', '4'],
    ])
    expect(Object.entries(serialize({ statusCode: 200, headers }, multi).multiValueHeaders!)).toHaveLength(3)
  })

  it('keeps any number of headers', () => {
    const headers = Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`X-${i}`, '1']))
    expect(Object.keys(serialize({ statusCode: 200, headers }, single).headers!)).toHaveLength(1500)
  })

  it('is made without modifying the reply', () => {
    const reply = Object.freeze({ statusCode: 200, headers: Object.freeze({ A: '1' }), body: 'a' })
    expect(serialize(reply, single).headers).toMatchObject({ a: '1' })
  })
})

describe('serialize() refuses a reply with', () => {
  it.each([
    ['undefined instead of an object', undefined, 'was nothing'],
    ['null instead of an object', null, 'was null'],
    ['a string instead of an object', 'ok', 'was a string'],
    ['a missing status', {}, 'a reply with a statusCode'],
    [
      'a misspelt body',
      { statusCode: 200, bodyy: 'a' },
      '/bodyy: expected no such field; did you mean body?',
    ],
    ['a misspelt status', { statuscode: 200 }, 'did you mean statusCode?'],
    [
      'a misspelt name with a slash',
      { statusCode: 200, 'headers/': {} },
      '/headers~1: expected no such field',
    ],
    ['misspelt headers', { statusCode: 200, header: {} }, 'did you mean headers?'],
    ['a status that is not an integer', { statusCode: 200.5 }, '/statusCode'],
    ['a status that is a string', { statusCode: '200' }, '/statusCode'],
    ['a 1xx status', { statusCode: 101 }, '/statusCode'],
    ['the status 600', { statusCode: 600 }, '/statusCode'],
    ['CR in a description', { statusCode: 200, statusDescription: 'OK\r' }, '/statusDescription'],
    ['a description that is not a string', { statusCode: 200, statusDescription: 7 }, '/statusDescription'],
    ['CR in a header value', { statusCode: 200, headers: { a: 'b\rc' } }, '/headers/a'],
    ['LF in a header value', { statusCode: 200, headers: { a: ['b', 'c\nd'] } }, '/headers/a'],
    ['NUL in a header value', { statusCode: 200, headers: { a: '\0' } }, '/headers/a'],
    ['a character above U+00FF in a header value', { statusCode: 200, headers: { a: '€' } }, '/headers/a'],
    ['LF in a header name', { statusCode: 200, headers: { 'a\nb': 'c' } }, String.raw`was "a\nb"`],
    ['a header name with a colon', { statusCode: 200, headers: { 'a:': 'c' } }, '/headers'],
    ['a header named __proto__', { statusCode: 200, headers: JSON.parse('{"__proto__":"c"}') }, '__proto__'],
    ['a header named __PROTO__', { statusCode: 200, headers: { __PROTO__: 'c' } }, '__PROTO__'],
    ['headers that are a string', { statusCode: 200, headers: 'a: b' }, '/headers: expected a map'],
    ['headers that are a list', { statusCode: 200, headers: [['a', 'b']] }, '/headers: expected a map'],
    [
      'a Headers object as its headers',
      { statusCode: 200, headers: new Headers({ a: 'b' }) },
      '/headers: expected a map',
    ],
    [
      'a Map as its headers',
      { statusCode: 200, headers: new Map(), multiValueHeaders: new Map([['a', ['b']]]) },
      'eaders: expected a map',
    ],
    [
      'a header value that is an object',
      { statusCode: 200, headers: { a: {} } },
      '/headers/a: expected text',
    ],
    [
      'a header value that is a date',
      { statusCode: 200, headers: { a: new Date() } },
      '/headers/a: expected text',
    ],
    [
      'a header value that is a list in a list',
      { statusCode: 200, headers: { a: [['b']] } },
      '/headers/a: expected text',
    ],
    [
      'a header value that is a list with null in it',
      { statusCode: 200, headers: { a: ['b', null] } },
      '/headers/a: expected text',
    ],
    ['a string as isBase64Encoded', { statusCode: 200, isBase64Encoded: 'true' }, '/isBase64Encoded'],
    ['a body that is an object', { statusCode: 200, body: { length: 1 } }, '/body'],
    ['a body that is an empty list', { statusCode: 200, body: [] }, '/body'],
    ['malformed Base64', { statusCode: 200, body: 'a b=', isBase64Encoded: true }, 'Base64'],
    ['Base64 of an invalid length', { statusCode: 200, body: 'abc', isBase64Encoded: true }, 'Base64'],
  ])('%s', (_, reply, message) => {
    expect(() => serialize(reply, single)).toThrow(message)
    expect(() => serialize(reply, multi)).toThrow(message)
  })
})

it('the error for headers that are text quotes nothing of it, and a long name is cut', () => {
  const error = (headers: unknown) => {
    try {
      return String(serialize({ statusCode: 200, headers }, single))
    } catch (refused) {
      return (refused as Error).message
    }
  }
  expect(error('set-cookie: session=s3cr3t')).toContain('expected a map, as a plain object, was other text')
  expect(error({ [`${'a'.repeat(1000)} b`]: '' }).length).toBeLessThan(200)
})

it('serialize() refuses more than 32 KB of status line and headers', () => {
  const reply = (length: number) => ({ statusCode: 200, headers: { a: 'a'.repeat(length) } })
  expect(httpVerdict(JSON.stringify(serialize(reply(32_000), single)), single).kind).toBe('answered')
  // @middy/http-event-normalizer adds the empty map.
  const normalized = { ...single, multiValueQueryStringParameters: {} }
  for (const event of [single, multi, normalized])
    expect(() => serialize(reply(33_000), event)).toThrow('at most 32768 bytes of status line and headers')
})

describe('serialize() with a limit of 1 MB of JSON', () => {
  const overhead = JSON.stringify(serialize(text('a'), single)).length - 1

  it('accepts exactly 1 MB', () => {
    expect(serialize(text('a'.repeat(maxResponseBytes - overhead)), single).body).toHaveLength(
      maxResponseBytes - overhead,
    )
  })

  it.each([
    ['text', text('a'.repeat(maxResponseBytes - overhead + 1))],
    ['text of three-byte characters', text('€'.repeat(maxResponseBytes / 3))],
    ['text that JSON escapes', text('\u0001'.repeat(maxResponseBytes / 6))],
    ['bytes in Base64', bytes(new Uint8Array(maxResponseBytes * 0.75))],
    ['headers', { statusCode: 200, headers: { a: 'a'.repeat(maxResponseBytes) } }],
    ['many empty headers', { statusCode: 200, headers: { a: Array(maxResponseBytes / 2).fill('') } }],
    ['a statusDescription', { statusCode: 200, statusDescription: 'a'.repeat(maxResponseBytes) }],
    [
      'many headers',
      { statusCode: 200, headers: { a: Array(1000).fill('a'.repeat(maxResponseBytes / 1000)) } },
    ],
  ])('refuses more than 1 MB of %s', (_, reply) => {
    for (const event of [single, multi]) {
      expect(() => serialize(reply, event)).toThrow(
        `at most ${maxResponseBytes} bytes of JSON (answer with a redirect to storage instead)`,
      )
    }
  })

  it.each([
    ['of the Web', new ReadableStream()],
    ['of Node', { pipe() {} }],
  ])('names a stream %s as a body', (_, body) => {
    expect(() => serialize({ statusCode: 200, body }, single)).toThrow(
      '/body: expected text or bytes, was a stream',
    )
  })
})

describe('serialize(), for any reply', () => {
  const value = fc.oneof(fc.string(), arbitraryText(), fc.integer(), fc.constantFrom(null, undefined))
  const name = fc.oneof(fc.constantFrom('set-cookie', 'Vary', 'X-A', 'content-type'), fc.string())
  const headers = fc.dictionary(name, fc.oneof(value, fc.array(fc.string())), { maxKeys: 4 })
  const reply = fc.record(
    {
      statusCode: fc.oneof(fc.integer({ min: 200, max: 599 }), fc.integer()),
      statusDescription: fc.oneof(fc.string(), arbitraryText()),
      headers,
      multiValueHeaders: headers,
      body: fc.oneof(arbitraryText(), fc.uint8Array(), fc.base64String()),
      isBase64Encoded: fc.boolean(),
    },
    { requiredKeys: ['statusCode'] },
  )

  it('either returns a response that the load balancer accepts or throws', () => {
    fc.assert(
      fc.property(reply, arbitraryHttpEvent(), (any, event) => {
        let response: unknown
        try {
          response = serialize(any, event)
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_RESPONSE' })
          return
        }
        expect(httpVerdict(JSON.stringify(response), event)).toMatchObject({ kind: 'answered' })
      }),
      { numRuns: 500 },
    )
  })
})
