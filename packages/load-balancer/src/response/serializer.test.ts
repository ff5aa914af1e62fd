import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { hopByHopHeaders, httpVerdict, maxResponseBytes } from '../contract/index.ts'
import { arbitraryText } from '../testing/arbitraries.ts'
import { arbitraryHttpEvent, httpEvent } from '../testing/index.ts'
import { bytes, json, type Reply, text } from './reply.ts'
import { serialize } from './serializer.ts'
import { withCookie } from './set-cookie.ts'

const single = httpEvent('GET', '/orders')
const multi = httpEvent('GET', '/orders', { multiValue: true })
const head = httpEvent('HEAD', '/orders')

describe('the mode of the request', () => {
  it('multiValueHeaders exactly when the request was multi-value, headers otherwise', () => {
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

  it('plain responses may have either map', () => {
    const plain = { statusCode: 200, multiValueHeaders: { 'X-A': ['1', '2'], 'x-b': ['3'] } }
    expect(serialize(plain, multi).multiValueHeaders).toEqual({ 'x-a': ['1', '2'], 'x-b': ['3'] })
    expect(serialize({ ...plain, headers: null }, single).headers).toEqual({ 'x-a': '1, 2', 'x-b': '3' })
  })

  it.each(['link', 'vary', 'www-authenticate', 'x-a', 'set-cookie'])(
    'both maps: every value of %s that the map of the mode has, in order, and none of the other',
    name => {
      const headers = { [name]: '<a>', 'x-only': '1' }
      const multiValueHeaders = { [name]: ['<c>', '<b>', '<a>', '<b>'] }
      const both = { statusCode: 200, headers, multiValueHeaders }
      expect(serialize(both, multi).multiValueHeaders).toEqual(multiValueHeaders)
      expect(serialize(both, single).headers).toEqual(headers)
    },
  )

  it('one cookie in headers and two in multiValueHeaders are one cookie in single mode', () => {
    const plain = {
      statusCode: 200,
      headers: { 'set-cookie': 'a=1' },
      multiValueHeaders: { 'set-cookie': ['a=1', 'b=2'] },
    }
    expect(serialize(plain, single).headers).toEqual({ 'set-cookie': 'a=1' })
    expect(serialize(plain, multi).multiValueHeaders).toEqual({ 'set-cookie': ['a=1', 'b=2'] })
  })

  it('a name written in two ways is one: all its values, or the last where HTTP takes one', () => {
    const twice = json(1, { headers: { 'Content-Type': 'application/hal+json', vary: 'a', Vary: 'b' } })
    expect(serialize(twice, single).headers).toEqual({ 'content-type': 'application/hal+json', vary: 'a, b' })
    expect(serialize(twice, multi).multiValueHeaders).toEqual({
      'content-type': ['application/hal+json'],
      vary: ['a', 'b'],
    })
  })

  it('every cookie in multi-value mode, in order', () => {
    const plain = {
      statusCode: 200,
      headers: { 'set-cookie': ['c=3', 'a=4'], 'SET-COOKIE': 'd=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT' },
    }
    expect(serialize(plain, multi).multiValueHeaders).toEqual({
      'set-cookie': ['c=3', 'a=4', 'd=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
    })
  })

  it('cookies under names that differ in their letters’ case are several in single mode too', () => {
    const headers = { 'set-cookie': 'a=1', 'Set-Cookie': 'b=2' }
    expect(serialize({ statusCode: 200, headers }, single).headers).toEqual(headers)
  })

  it('several cookies in single mode: an error that names the switch to turn on', () => {
    const two = withCookie(withCookie(json(1), 'a', 'secret'), 'b', '2')
    expect(() => serialize(two, single)).toThrow('turn on multi-value headers on its target group')
    expect(() => serialize(two, single)).toThrow('GET /orders')
    expect(() => serialize(two, single)).not.toThrow('secret')
  })

  it('unless only one remains', () => {
    const one = { statusCode: 200, headers: { 'set-cookie': ['a=1; Path=/', 'a=2; path=/'] } }
    expect(serialize(one, single).headers).toEqual({ 'set-cookie': 'a=2; path=/' })
  })
})

describe('always complete', () => {
  it('statusDescription from the table, or one’s own', () => {
    const described = (reply: Reply) => serialize(reply, single).statusDescription
    expect(described({ statusCode: 404 })).toBe('404 Not Found')
    expect(described({ statusCode: 299 })).toBe('299 Unknown')
    expect(described({ statusCode: 200, statusDescription: '200 Fine' })).toBe('200 Fine')
    expect(described({ statusCode: 200, statusDescription: null as never })).toBe('200 OK')
    expect(described({ statusCode: 200, statusDescription: 'Fine' })).toBe('200 Fine')
  })

  it('a statusDescription with the code of another status gives way', () => {
    const described = (reply: Reply) => serialize(reply, single).statusDescription
    expect(described({ statusCode: 404, statusDescription: '200 OK' })).toBe('404 Not Found')
  })

  it('bytes become Base64, text does not', () => {
    const content = new Uint8Array([9, 0, 255, 9]).subarray(1, 3)
    expect(serialize(bytes(content), single)).toMatchObject({ isBase64Encoded: true, body: 'AP8=' })
    expect(serialize(text('hé'), single)).toMatchObject({ isBase64Encoded: false, body: 'hé' })
    const encoded = { statusCode: 200, body: 'AP8=', isBase64Encoded: true }
    expect(serialize(encoded, single)).toMatchObject({ isBase64Encoded: true, body: 'AP8=' })
  })

  it('a content-type with charset by default', () => {
    const typeOf = (reply: Reply) => serialize(reply, single).headers?.['content-type']
    expect(typeOf({ statusCode: 200, body: 'a' })).toBe('text/plain; charset=utf-8')
    expect(typeOf({ statusCode: 200, body: new Uint8Array(1) })).toBe('application/octet-stream')
    expect(typeOf({ statusCode: 200, body: 'AP8=', isBase64Encoded: true })).toBe('application/octet-stream')
    expect(typeOf({ statusCode: 200, body: 'a', headers: { 'Content-Type': 'text/csv' } })).toBe('text/csv')
    expect(typeOf({ statusCode: 200 })).toBeUndefined()
  })

  it('content-length left to the platform; hop-by-hop headers dropped', () => {
    const headers = Object.fromEntries(
      [...hopByHopHeaders, 'Connection', 'Content-Length'].map(name => [name, '1']),
    )
    for (const event of [single, multi]) {
      const { headers: sent, multiValueHeaders } = serialize({ statusCode: 200, headers }, event)
      expect(sent ?? multiValueHeaders).toEqual({})
    }
  })

  it('null or undefined header values dropped, numbers written as text', () => {
    const headers = { a: null, b: undefined, c: 0, d: [1, 'x'], e: [] }
    expect(serialize({ statusCode: 200, headers }, single).headers).toEqual({ c: '0', d: '1, x' })
    expect(serialize({ statusCode: 200, headers }, multi).multiValueHeaders).toEqual({
      c: ['0'],
      d: ['1', 'x'],
    })
  })

  it('no body for HEAD, 204, 205, 304', () => {
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

  it('what is wrong with a body is wrong where none is sent, too', () => {
    for (const event of [single, head])
      expect(() => serialize({ statusCode: 204, body: ' ', isBase64Encoded: true }, event)).toThrow('/body')
  })

  it('fields of middlewares left out', () => {
    const { headers, ...rest } = serialize({ statusCode: 200, cookies: [], json: {} } as never, single)
    expect({ headers, ...rest }).toEqual(serialize({ statusCode: 200 }, single))
  })

  it('names that objects have anyway are names', () => {
    const headers = { constructor: '1', toString: ['2', '3'], valueOf: 4 } as never
    expect(Object.entries(serialize({ statusCode: 200, headers }, single).headers!)).toEqual([
      ['constructor', '1'],
      ['tostring', '2, 3'],
      ['valueof', '4'],
    ])
    expect(Object.entries(serialize({ statusCode: 200, headers }, multi).multiValueHeaders!)).toHaveLength(3)
  })

  it('any number of names', () => {
    const headers = Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`X-${i}`, '1']))
    expect(Object.keys(serialize({ statusCode: 200, headers }, single).headers!)).toHaveLength(1500)
  })

  it('leaves the reply it is given alone', () => {
    const reply = Object.freeze({ statusCode: 200, headers: Object.freeze({ A: '1' }), body: 'a' })
    expect(serialize(reply, single).headers).toMatchObject({ a: '1' })
  })
})

describe('refuses', () => {
  it.each([
    ['nothing', undefined, 'was nothing'],
    ['null', null, 'was null'],
    ['text', 'ok', 'was a string'],
    ['an object without a status', {}, 'a reply with a statusCode'],
    [
      'a misspelt body',
      { statusCode: 200, bodyy: 'a' },
      '/bodyy: expected no such field; did you mean body?',
    ],
    ['a misspelt status', { statuscode: 200 }, 'did you mean statusCode?'],
    ['misspelt headers', { statusCode: 200, header: {} }, 'did you mean headers?'],
    ['a status that is no integer', { statusCode: 200.5 }, '/statusCode'],
    ['a status that is text', { statusCode: '200' }, '/statusCode'],
    ['1xx', { statusCode: 101 }, '/statusCode'],
    ['600', { statusCode: 600 }, '/statusCode'],
    ['CR in a description', { statusCode: 200, statusDescription: 'OK\r' }, '/statusDescription'],
    ['a description that is no text', { statusCode: 200, statusDescription: 7 }, '/statusDescription'],
    ['CR in a value', { statusCode: 200, headers: { a: 'b\rc' } }, '/headers/a'],
    ['LF in a value', { statusCode: 200, multiValueHeaders: { a: ['b', 'c\nd'] } }, '/multiValueHeaders/a'],
    ['NUL in a value', { statusCode: 200, headers: { a: '\0' } }, '/headers/a'],
    ['a character beyond bytes in a value', { statusCode: 200, headers: { a: '€' } }, '/headers/a'],
    ['LF in a name', { statusCode: 200, headers: { 'a\nb': 'c' } }, String.raw`was "a\nb"`],
    ['a name with a colon', { statusCode: 200, headers: { 'a:': 'c' } }, '/headers'],
    ['a header named __proto__', { statusCode: 200, headers: JSON.parse('{"__proto__":"c"}') }, '__proto__'],
    ['headers that are text', { statusCode: 200, headers: 'a: b' }, '/headers: expected a map'],
    ['headers that are a list', { statusCode: 200, headers: [['a', 'b']] }, '/headers: expected a map'],
    ['the web’s Headers', { statusCode: 200, headers: new Headers({ a: 'b' }) }, '/headers: expected a map'],
    [
      'a Map',
      { statusCode: 200, multiValueHeaders: new Map([['a', ['b']]]) },
      '/multiValueHeaders: expected a map',
    ],
    ['a value that is an object', { statusCode: 200, headers: { a: {} } }, '/headers/a: expected text'],
    ['a value that is Boolean', { statusCode: 200, headers: { a: true } }, '/headers/a: expected text'],
    ['a list in a list', { statusCode: 200, headers: { a: [['b']] } }, '/headers/a: expected text'],
    ['a list with null in it', { statusCode: 200, headers: { a: ['b', null] } }, '/headers/a: expected text'],
    ['an isBase64Encoded that is text', { statusCode: 200, isBase64Encoded: 'true' }, '/isBase64Encoded'],
    ['a body that is an object', { statusCode: 200, body: { length: 1 } }, '/body'],
    ['a body that is an empty list', { statusCode: 200, body: [] }, '/body'],
    ['Base64 that is none', { statusCode: 200, body: 'a b=', isBase64Encoded: true }, 'Base64'],
    ['Base64 of a wrong length', { statusCode: 200, body: 'abc', isBase64Encoded: true }, 'Base64'],
  ])('%s', (_, reply, message) => {
    expect(() => serialize(reply, single)).toThrow(message)
    expect(() => serialize(reply, multi)).toThrow(message)
  })
})

it('32 KB of status line and headers are the most that the load balancer sends', () => {
  const reply = (length: number) => ({ statusCode: 200, headers: { a: 'a'.repeat(length) } })
  expect(httpVerdict(JSON.stringify(serialize(reply(32_000), single)), single).kind).toBe('answered')
  for (const event of [single, multi])
    expect(() => serialize(reply(33_000), event)).toThrow('at most 32768 bytes of status line and headers')
})

describe('1 MB of JSON', () => {
  const overhead = JSON.stringify(serialize(text('a'), single)).length - 1

  it('goes out', () => {
    expect(serialize(text('a'.repeat(maxResponseBytes - overhead)), single).body).toHaveLength(
      maxResponseBytes - overhead,
    )
  })

  it.each([
    ['text', text('a'.repeat(maxResponseBytes - overhead + 1))],
    ['text of characters of three bytes', text('€'.repeat(maxResponseBytes / 3))],
    ['text that JSON escapes', text('\u0001'.repeat(maxResponseBytes / 6))],
    ['bytes, Base64 included', bytes(new Uint8Array(maxResponseBytes * 0.75))],
    ['headers', { statusCode: 200, headers: { a: 'a'.repeat(maxResponseBytes) } }],
    ['many headers of nothing', { statusCode: 200, headers: { a: Array(maxResponseBytes / 2).fill('') } }],
    ['a statusDescription', { statusCode: 200, statusDescription: 'a'.repeat(maxResponseBytes) }],
    [
      'many headers',
      { statusCode: 200, headers: { a: Array(1000).fill('a'.repeat(maxResponseBytes / 1000)) } },
    ],
  ])('and not one byte more: %s', (_, reply) => {
    for (const event of [single, multi]) {
      expect(() => serialize(reply, event)).toThrow(`at most ${maxResponseBytes} bytes of JSON`)
    }
  })
})

describe('for any reply', () => {
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

  it('what comes out is never malformed', () => {
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
