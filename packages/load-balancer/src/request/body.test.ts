import { describe, expect, it } from '@jest/globals'
import { httpEvent } from '../testing/index.ts'
import { bodyAs, bodyByType, bodyBytes, bodyKind, bodyText } from './body.ts'
import { bodySource } from './http-request.ts'

function source(body: unknown, type?: string, { limit = 1000, base64 = false, encoding = '' } = {}) {
  const headers = {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(encoding === '' ? {} : { 'content-encoding': encoding }),
  }
  const event = httpEvent('POST', '/', { headers, body })
  const asBase64 = base64
    ? { ...event, body: Buffer.from(event.body!).toString('base64'), isBase64Encoded: true }
    : event
  return bodySource(asBase64, limit)
}

const status = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return (error as { statusCode: number }).statusCode
  }
  return undefined
}

describe('bodyKind', () => {
  it.each([
    ['application/json', 'json'],
    ['Application/JSON; charset=utf-8', 'json'],
    ['application/problem+json', 'json'],
    ['application/jsonp', 'bytes'],
    ['application/x-www-form-urlencoded;charset=UTF-8', 'form'],
    ['text/csv', 'text'],
    ['application/xml', 'text'],
    ['application/javascript', 'text'],
    ['multipart/form-data; boundary=x', 'bytes'],
    ['image/png', 'bytes'],
    ['', undefined],
    [undefined, undefined],
  ])('maps the content type %p to %p', (type, kind) => {
    expect(bodyKind(type)).toBe(kind)
  })
})

describe('a body without a codec', () => {
  it.each([
    ['plain text', false],
    ['Base64', true],
  ])('in %s is read as JSON or text, depending on its content type', (_, base64) => {
    expect(bodyByType(source('{"a":[1]}', 'application/json', { base64 }))).toEqual({ a: [1] })
    expect(bodyByType(source('hé', 'text/plain', { base64 }))).toBe('hé')
    // Some clients send a byte order mark before the text.
    expect(bodyByType(source('\ufeff{"a":[1]}', 'application/json', { base64 }))).toEqual({ a: [1] })
    expect(bodyByType(source('\ufeff\ufeffhé', 'text/plain', { base64 }))).toBe('\ufeffhé')
  })

  it('is read as a form or as bytes, depending on its content type', () => {
    const form = bodyByType(source(new URLSearchParams({ 'a b': 'c&d' }))) as URLSearchParams
    expect([...form]).toEqual([['a b', 'c&d']])
    const bytes = new Uint8Array([0, 255, 128])
    expect(bodyByType(source(bytes, 'image/png'))).toEqual(Buffer.from(bytes))
  })

  it('is read as a string if there is no content type, or as bytes if it is Base64', () => {
    const event = httpEvent('POST', '/')
    const typeless = (body: string, isBase64Encoded: boolean) =>
      bodyByType(bodySource({ ...event, body, isBase64Encoded }, 1000))
    expect(typeless('a', false)).toBe('a')
    expect(typeless('YQ==', true)).toEqual(Buffer.from('a'))
  })

  it('is undefined when the request has no body', () => {
    const event = httpEvent('POST', '/', { headers: { 'content-type': 'application/json' } })
    for (const body of ['', null, undefined]) {
      const { body: _, ...rest } = event
      expect(bodyByType(bodySource(body === undefined ? rest : { ...event, body }, 1000))).toBeUndefined()
    }
  })

  it('is read as bytes when it has a content-encoding', () => {
    expect(bodyByType(source('{}', 'application/json', { encoding: 'gzip' }))).toEqual(Buffer.from('{}'))
    expect(bodyByType(source('{}', 'application/json', { encoding: 'Identity' }))).toEqual({})
  })

  it('that is invalid JSON causes a 400, whose message does not quote the body', () => {
    const secret = source('{"password":"hunter2', 'application/json')
    expect(status(() => bodyByType(secret))).toBe(400)
    expect(() => bodyByType(secret)).not.toThrow('hunter2')
  })
})

describe('bodyText', () => {
  it('uses the charset that the content type names', () => {
    const latin = httpEvent('POST', '/', {
      headers: { 'content-type': 'text/plain; Charset="latin1"' },
      body: Buffer.from([0xe9]),
    })
    expect(bodyText(bodySource(latin, 10))).toBe('é')
  })

  it('returns an empty string when there is no body', () => {
    expect(bodyText(bodySource({ ...httpEvent('POST', '/'), body: null }, 10))).toBe('')
  })

  it.each([
    ['plain text', false],
    ['Base64', true],
  ])('fails with 415 for a body in %s with an unknown charset', (_, base64) => {
    const { event, ...rest } = source('a', 'text/plain', { base64 })
    const unknown = { ...rest, event, contentType: 'text/plain; charset=klingon' }
    expect(status(() => bodyText(unknown))).toBe(415)
  })

  it.each([
    ['utf-16le', 'utf-16le', Buffer.from('{"a":1}', 'utf16le'), { a: 1 }],
    ['utf-16be', 'utf-16be', Buffer.from('{"a":1}', 'utf16le').swap16(), { a: 1 }],
    ['iso-8859-1', 'iso-8859-1', Buffer.from('{"a":"\u00e9"}', 'latin1'), { a: '\u00e9' }],
    [
      'iso-8859-1 whose bytes are also valid UTF-8',
      'iso-8859-1',
      Buffer.from('{"a":"\u00e9"}'),
      { a: '\u00c3\u00a9' },
    ],
  ])('decodes JSON in %s, from Base64 and from plain text', (_, charset, bytes, value) => {
    const type = `application/json; charset=${charset}`
    const event = httpEvent('POST', '/', { headers: { 'content-type': type }, body: bytes })
    expect(event.isBase64Encoded).toBe(true)
    expect(bodyByType(bodySource(event, 1000))).toEqual(value)
    const asText = { ...event, body: bytes.toString(), isBase64Encoded: false }
    if (Buffer.from(asText.body).equals(bytes)) expect(bodyByType(bodySource(asText, 1000))).toEqual(value)
  })
})

describe('the limit of a body', () => {
  it('applies to the bytes of the decoded body', () => {
    for (const base64 of [false, true]) {
      for (const read of [bodyBytes, bodyText, bodyByType]) {
        expect(status(() => read(source('é'.repeat(5), 'text/plain', { limit: 10, base64 })))).toBeUndefined()
        expect(status(() => read(source(`${'é'.repeat(5)}a`, 'text/plain', { limit: 10, base64 })))).toBe(413)
      }
    }
  })

  it('is 1 MB by default', () => {
    const event = httpEvent('POST', '/', { body: 'a'.repeat(1024 * 1024) })
    const bare = { event, contentType: 'text/plain', contentEncoding: undefined }
    expect(bodyBytes(bare)).toHaveLength(1024 * 1024)
    expect(bodyText(bare)).toHaveLength(1024 * 1024)
    expect(status(() => bodyBytes({ ...bare, event: { ...event, body: `${event.body}a` } }))).toBe(413)
    expect(status(() => bodyText({ ...bare, event: { ...event, body: `${event.body}a` } }))).toBe(413)
  })
})

describe('bodyAs', () => {
  it('reads a body of an accepted kind', () => {
    expect(bodyAs(source('{}', 'application/json'), ['form', 'json'])).toEqual({ kind: 'json', content: {} })
    expect(bodyAs(source('a', 'image/png'), ['bytes'])).toEqual({ kind: 'bytes', content: Buffer.from('a') })
  })

  it('fails with 415 for a body of a kind that is not accepted, and names the accepted media types', () => {
    const plain = source('{}', 'text/plain')
    expect(status(() => bodyAs(plain, ['json']))).toBe(415)
    expect(() => bodyAs(plain, ['json', 'form'])).toThrow(
      'The body is text/plain, expected application/json or application/x-www-form-urlencoded',
    )
  })

  it('fails with 415 for a body with a content-encoding, unless bytes are accepted', () => {
    expect(status(() => bodyAs(source('{}', 'application/json', { encoding: 'gzip' }), ['json']))).toBe(415)
    const image = source('a', 'image/png', { encoding: 'gzip' })
    expect(bodyAs(image, ['bytes']).content).toEqual(Buffer.from('a'))
  })

  it('assumes the first accepted kind when the request has no content type', () => {
    const event = { ...httpEvent('POST', '/'), body: '{"a":1}' }
    expect(bodyAs(bodySource(event, 10), ['json', 'text'])).toEqual({ kind: 'json', content: { a: 1 } })
    const encoded = { ...event, body: 'eyJhIjoxfQ==', isBase64Encoded: true }
    expect(bodyAs(bodySource(encoded, 10), ['json'])).toEqual({ kind: 'json', content: { a: 1 } })
    expect(bodyAs(bodySource({ ...event, body: null }, 10), ['json'])).toEqual({
      kind: 'json',
      content: undefined,
    })
  })
})
