import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { arbitraryHttpEvent, arbitraryText } from '../testing/arbitrary.ts'
import { httpEvent } from '../testing/index.ts'
import { hopByHopHeaders } from './header-field.ts'
import { type HttpVerdict, httpVerdict } from './http-verdict.ts'
import { maxResponseBytes, maxResponseHeadBytes } from './limits.ts'
import { responseFields } from './response.ts'

const single = httpEvent('GET', '/')
const multi = httpEvent('GET', '/', { multiValue: true })
const ok = { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false }

const verdict = (answer: unknown, event = single) => httpVerdict(JSON.stringify(answer) ?? '', event)
const why = (result: HttpVerdict) => (result.kind === 'malformed' ? result.why : result.kind)
const text = (result: HttpVerdict) => Buffer.from(result.body).toString()
const without = (name: string) => Object.fromEntries(Object.entries(ok).filter(([key]) => key !== name))

describe('a response', () => {
  it('must have an integer as its statusCode', () => {
    expect(verdict({ ...ok, statusCode: 404, statusDescription: '404 Not Found' })).toMatchObject({
      kind: 'answered',
      status: 404,
      reason: 'Not Found',
      statusLine: 'HTTP/1.1 404 Not Found',
    })
    expect(why(verdict(without('statusCode')))).toContain('/statusCode: expected integer from 200 to 599')
    for (const statusCode of ['200', 200.5, null, 0, 199, 600, -200, 1e21]) {
      expect(why(verdict({ ...ok, statusCode }))).toContain('/statusCode')
    }
    for (const statusCode of [200, 599])
      expect(verdict({ ...ok, statusCode })).toMatchObject({ status: statusCode })
  })

  it('must have a string as its statusDescription', () => {
    expect(verdict({ ...ok, statusDescription: '200 Fine by me' })).toMatchObject({ reason: 'Fine by me' })
    expect(verdict({ ...ok, statusDescription: 'Fine' })).toMatchObject({ statusLine: 'HTTP/1.1 200 Fine' })
    expect(verdict({ ...ok, statusCode: 404 })).toMatchObject({ statusLine: 'HTTP/1.1 404 Not Found' })
    expect(why(verdict(without('statusDescription')))).toContain('/statusDescription: expected string')
    expect(why(verdict({ ...ok, statusDescription: '200 OK\r\nx: y' }))).toContain('statusDescription')
  })

  it('must have the boolean isBase64Encoded, which says whether the body is Base64', () => {
    expect(text(verdict({ ...ok, isBase64Encoded: true, body: 'aMOp' }))).toBe('hé')
    expect(text(verdict({ ...ok, isBase64Encoded: false, body: 'aMOp' }))).toBe('aMOp')
    expect(why(verdict(without('isBase64Encoded')))).toContain('/isBase64Encoded: expected boolean')
    for (const body of ['aMO', 'aM-p', 'a===', 'aMOp\n', '====']) {
      expect(why(verdict({ ...ok, isBase64Encoded: true, body }))).toContain('not Base64')
    }
  })

  it('can have headers, with one string for each name', () => {
    const { headers } = verdict({ ...ok, headers: { 'x-a': '1', 'X-B': '' } })
    expect(headers).toEqual([
      ['x-a', '1'],
      ['X-B', ''],
      ['content-length', '0'],
    ])
    expect(verdict({ ...ok, headers: null })).toMatchObject({ kind: 'answered' })
    expect(verdict(ok)).toMatchObject({ kind: 'answered' })
    for (const value of [null, 7, ['1'], {}]) {
      expect(why(verdict({ ...ok, headers: { 'x-a': value } }))).toContain('/headers/x-a: expected string')
    }
    expect(why(verdict({ ...ok, headers: [] }))).toContain('/headers')
  })

  it('can have a string as its body', () => {
    expect(text(verdict({ ...ok, body: 'hé' }))).toBe('hé')
    expect(verdict({ ...ok, body: 'hé' }).headers).toEqual([['content-length', '3']])
    expect(text(verdict(ok))).toBe('')
    for (const body of [null, 7, { a: 1 }])
      expect(why(verdict({ ...ok, body }))).toContain('/body: expected string')
  })

  it('must have multiValueHeaders, with a list of strings for each name, when multi-value headers are enabled', () => {
    const cookies = { ...ok, multiValueHeaders: { 'set-cookie': ['a=1', 'b=2'], 'x-c': [] } }
    expect(verdict(cookies, multi).headers).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['content-length', '0'],
    ])
    expect(why(verdict({ ...ok, headers: { 'x-a': '1' } }, multi))).toContain('/multiValueHeaders')
    expect(why(verdict(ok, multi))).toContain('/multiValueHeaders')
    expect(why(verdict({ ...ok, multiValueHeaders: null }, multi))).toContain('/multiValueHeaders')
    expect(why(verdict({ ...ok, multiValueHeaders: { 'x-a': '1' } }, multi))).toContain(
      '/multiValueHeaders/x-a',
    )
    expect(why(verdict({ ...ok, multiValueHeaders: { 'x-a': [null] } }, multi))).toContain('/x-a/0')
  })

  it('is sent without the headers that its connection header lists', () => {
    const headers = { Connection: 'X-One, close', 'x-one': '1', 'x-two': '2' }
    expect(verdict({ ...ok, headers }).headers).toEqual([
      ['x-two', '2'],
      ['content-length', '0'],
    ])
  })

  it('takes its headers only from `multiValueHeaders` in multi-value mode, and only from `headers` otherwise', () => {
    const both = { ...ok, headers: { 'x-a': 'one' }, multiValueHeaders: { 'x-a': ['many'] } }
    expect(verdict(both).headers[0]).toEqual(['x-a', 'one'])
    expect(verdict(both, multi).headers[0]).toEqual(['x-a', 'many'])
  })

  it('has exactly the fields that this file tests', () => {
    expect(Object.keys(responseFields)).toEqual([
      'statusCode',
      'statusDescription',
      'isBase64Encoded',
      'headers',
      'body',
      'multiValueHeaders',
    ])
  })
})

describe('httpVerdict returns 502 for', () => {
  it.each([
    ['a payload that is not JSON', '{"statusCode":200', 'not JSON'],
    ['an empty payload', '', 'expected'],
    ['null', 'null', 'expected'],
    ['a list', '[]', 'expected'],
    ['a JSON string', '"200 OK"', 'expected'],
    ['a failed invocation', '{"errorType":"TypeError","errorMessage":"secret detail"}', 'failed: TypeError'],
  ])('%s', (_, payload, reason) => {
    const result = httpVerdict(payload, single)
    expect(result).toMatchObject({ kind: 'malformed', status: 502, statusLine: 'HTTP/1.1 502 Bad Gateway' })
    expect(why(result)).toContain(reason)
    expect(text(result)).toBe('Bad Gateway\n')
    expect(result.headers).toEqual([
      ['content-type', 'text/plain; charset=utf-8'],
      ['content-length', '12'],
    ])
  })

  it.each([
    [{ 'x-a': 'b\r\nx-c: d' }, 'x-a'],
    [{ 'x-a': '\0' }, 'x-a'],
    [{ 'x a': 'b' }, 'x a'],
    [{ '': 'b' }, ''],
    [{ x: '…' }, 'x'],
  ])('the headers %j, which HTTP cannot carry, and names the invalid header', (headers, name) => {
    expect(why(verdict({ ...ok, headers }))).toBe(`the header "${name}" cannot be written in HTTP`)
  })

  it('a response that breaks the contract, and reports each problem on its own line', () => {
    expect(why(verdict({ ...ok, statusCode: 'x', body: 1 }))).toMatch(
      /^the answer breaks the contract:\n.*\/statusCode.*\n.*\/body/,
    )
  })

  it('a response without the fields that AWS fills in, and names the dialect of such a function', () => {
    const { statusDescription, isBase64Encoded, ...rest } = ok
    for (const answer of [rest, { ...rest, statusDescription }, { ...rest, isBase64Encoded }])
      expect(why(verdict(answer))).toMatch(/: expected .*\n.*dialect: 'aws' at the function/)
    for (const answer of [
      { ...rest, statusDescription: null },
      { ...rest, body: 7 },
      { ...ok, body: 7 },
    ])
      expect(why(verdict(answer))).not.toContain('dialect')
  })
})

describe('httpVerdict', () => {
  it('allows at most 32 KB of status line and headers, in single-value and in multi-value mode', () => {
    const largest = maxResponseHeadBytes - 'HTTP/1.1 200 OK\r\nx-a: \r\n'.length
    const long = (length: number) => 'a'.repeat(length)
    const inModes = (length: number) => [
      verdict({ ...ok, statusDescription: 'OK', headers: { 'x-a': long(length) } }),
      verdict({ ...ok, statusDescription: 'OK', multiValueHeaders: { 'x-a': [long(length)] } }, multi),
    ]
    expect(inModes(largest).map(({ kind }) => kind)).toEqual(['answered', 'answered'])
    const tooMuch = 'the status line and the headers have more than 32768 bytes'
    expect(inModes(largest + 1).map(why)).toEqual([tooMuch, tooMuch])
    expect(why(verdict({ ...ok, statusDescription: long(100_000) }))).toBe(tooMuch)
    expect(why(verdict({ ...ok, headers: { 'x-a': long(900_000) } }))).toBe(tooMuch)
  })

  it('allows at most 1 MB of response JSON', () => {
    const largest = maxResponseBytes - JSON.stringify({ ...ok, body: '' }).length
    expect(verdict({ ...ok, body: 'a'.repeat(largest) })).toMatchObject({ kind: 'answered' })
    expect(why(verdict({ ...ok, body: 'a'.repeat(largest + 1) }))).toContain('1048576 bytes')
    expect(why(verdict({ ...ok, body: `${'a'.repeat(largest - 1)}é` }))).toContain('1048576 bytes')
  })

  it('answers 400 to a WebSocket upgrade, even when there is a valid response', () => {
    const upgrade = httpEvent('GET', '/', { headers: { upgrade: 'websocket' } })
    expect(verdict(ok, upgrade)).toMatchObject({ kind: 'refused', status: 400, reason: 'Bad Request' })
    expect(text(verdict(ok, upgrade))).toBe('WebSockets are not supported\n')
  })
})

describe('the HTTP response of a verdict', () => {
  it('contains a text body as UTF-8 bytes', () => {
    expect(verdict({ ...ok, body: 'é' })).toMatchObject({ body: Buffer.from('é'), text: undefined })
  })

  it('has no hop-by-hop headers', () => {
    const headers = Object.fromEntries([...hopByHopHeaders, 'Transfer-Encoding'].map(name => [name, 'x']))
    expect(verdict({ ...ok, headers: { ...headers, 'content-length': '7' }, body: 'a' }).headers).toEqual([
      ['content-length', '1'],
    ])
  })

  it('has no content-type when it has no content', () => {
    const headers = { 'Content-Type': 'text/plain', 'content-encoding': 'br', etag: '"1"' }
    for (const statusCode of [204, 304])
      expect(verdict({ ...ok, statusCode, headers }).headers).toEqual([['etag', '"1"']])
    expect(verdict({ ...ok, headers }).headers).toHaveLength(4)
  })

  it('has only the last value of a header that HTTP allows only once', () => {
    const headers = { 'Content-Type': 'a/a', vary: 'a', 'content-type': 'b/b', Vary: 'b' }
    expect(verdict({ ...ok, headers }).headers).toEqual([
      ['vary', 'a'],
      ['content-type', 'b/b'],
      ['Vary', 'b'],
      ['content-length', '0'],
    ])
  })

  it('has no body for HEAD, 204, 205 and 304', () => {
    expect(verdict({ ...ok, body: 'a' }, httpEvent('HEAD', '/'))).toMatchObject({
      headers: [],
      body: new Uint8Array(),
    })
    for (const statusCode of [204, 304]) {
      expect(verdict({ ...ok, statusCode, body: 'a' })).toMatchObject({ headers: [], body: new Uint8Array() })
    }
    expect(verdict({ ...ok, statusCode: 205, body: 'a' })).toMatchObject({
      headers: [['content-length', '0']],
      body: new Uint8Array(),
    })
  })
})

describe('httpVerdict, for any payload text', () => {
  const anyText = fc.oneof(
    arbitraryText(),
    fc.json(),
    fc.constant('9'.repeat(400)),
    fc.constant('['.repeat(50_000)),
    fc.constant(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
    fc.constant('{"statusCode":200,"statusCode":null}'),
    fc
      .record(
        {
          statusCode: fc.oneof(fc.integer({ min: 0, max: 999 }), fc.jsonValue()),
          statusDescription: fc.oneof(arbitraryText(), fc.jsonValue()),
          isBase64Encoded: fc.oneof(fc.boolean(), fc.jsonValue()),
          headers: fc.oneof(fc.dictionary(fc.string(), arbitraryText()), fc.jsonValue()),
          multiValueHeaders: fc.oneof(fc.dictionary(fc.string(), fc.array(fc.string())), fc.jsonValue()),
          body: fc.oneof(arbitraryText(), fc.base64String(), fc.jsonValue()),
        },
        { requiredKeys: [] },
      )
      .map(answer => JSON.stringify(answer)),
  )

  it('returns a status line and headers that HTTP can carry, and never throws', () => {
    fc.assert(
      fc.property(anyText, arbitraryHttpEvent(), (payload, event) => {
        const result = httpVerdict(payload, event)
        expect(result.statusLine).toMatch(/^HTTP\/1\.1 [2-5]\d\d [\t\x20-\x7e\x80-\xff]*$/)
        for (const [name, value] of result.headers) expect(`${name}: ${value}`).not.toMatch(/[\r\n\0]/)
      }),
      { numRuns: 400 },
    )
  })

  it('hides the values of secret fields in the problems that it reports', () => {
    const result = verdict({ ...ok, headers: { authorization: 7_171_717 } })
    expect(JSON.stringify(result)).not.toContain('7171717')
  })
})
