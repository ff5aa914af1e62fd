import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { arbitraryRequest } from '../testing/arbitrary.ts'
import { LoadBalancerEvent } from './event.ts'
import { requestEvent } from './request-event.ts'

const group = { targetGroupArn: 'group', multiValue: false }
const multiGroup = { ...group, multiValue: true }

describe('requestEvent', () => {
  const request = {
    method: 'GET',
    path: '/a%20b',
    query: 'a=1&b=%41&a=2&&c&=d&e=f=g',
    headers: [
      ['Accept', 'x'],
      ['accept', 'y'],
      ['__proto__', 'z'],
    ],
  } as const

  it('keeps the last value of a repeated name, writes header names in lower case, and decodes nothing', () => {
    const event = requestEvent(request, group)
    expect(event).toEqual({
      requestContext: { elb: { targetGroupArn: 'group' } },
      httpMethod: 'GET',
      path: '/a%20b',
      queryStringParameters: { a: '2', b: '%41', c: '', '': 'd', e: 'f=g' },
      headers: Object.fromEntries([
        ['accept', 'y'],
        ['__proto__', 'z'],
      ]),
      body: '',
      isBase64Encoded: false,
    })
  })

  it('keeps all repeated values in lists when multi-value headers are enabled', () => {
    const event = requestEvent(request, multiGroup)
    expect(event.multiValueQueryStringParameters).toEqual({
      a: ['1', '2'],
      b: ['%41'],
      c: [''],
      '': ['d'],
      e: ['f=g'],
    })
    expect(event.multiValueHeaders).toEqual(
      Object.fromEntries([
        ['accept', ['x', 'y']],
        ['__proto__', ['z']],
      ]),
    )
    expect(event).not.toHaveProperty('headers')
    expect(event).not.toHaveProperty('queryStringParameters')
  })

  it.each([
    ['text/plain; charset=utf-8', 'hé', 'hé', false],
    ['Application/JSON', '{}', '{}', false],
    ['application/javascript', '1', '1', false],
    ['application/xml', '<a/>', '<a/>', false],
    ['application/x-www-form-urlencoded', 'a=1', 'YT0x', true],
    ['application/problem+json', '{}', 'e30=', true],
  ])('keeps a body of type %s as text', (type, body, expected, isBase64Encoded) => {
    const event = requestEvent(
      { method: 'POST', path: '/', headers: [['content-type', type]], body: Buffer.from(body) },
      group,
    )
    expect(event).toMatchObject({ body: expected, isBase64Encoded })
  })

  it('encodes a body as Base64 when it has a content-encoding, no type or invalid UTF-8', () => {
    const bodies: [headers: [string, string][], body: Uint8Array][] = [
      [
        [
          ['content-type', 'text/plain'],
          ['content-encoding', 'gzip'],
        ],
        Buffer.from('a'),
      ],
      [[], Buffer.from('a')],
      [[['content-type', 'text/plain']], Buffer.from([0xff])],
    ]
    for (const [headers, body] of bodies) {
      expect(requestEvent({ method: 'POST', path: '/', headers, body }, group)).toMatchObject({
        body: Buffer.from(body).toString('base64'),
        isBase64Encoded: true,
      })
    }
  })

  it('turns an empty body into an empty string', () => {
    expect(requestEvent({ method: 'POST', path: '/', body: new Uint8Array() }, group)).toMatchObject({
      body: '',
      isBase64Encoded: false,
    })
  })

  it('requires only a method and a path', () => {
    const maps = ({ headers, queryStringParameters }: LoadBalancerEvent) => [headers, queryStringParameters]
    expect(maps(requestEvent({ method: 'GET', path: '/' }, group))).toEqual([{}, {}])
    const { multiValueHeaders, multiValueQueryStringParameters, body } = requestEvent(
      { method: 'GET', path: '/' },
      multiGroup,
    )
    expect([multiValueHeaders, multiValueQueryStringParameters, body]).toEqual([{}, {}, ''])
  })

  it('returns a valid event with every byte of the body, for any request', () => {
    fc.assert(
      fc.property(arbitraryRequest(), fc.boolean(), (any, multiValue) => {
        const event = requestEvent(any, { ...group, multiValue })
        expect(LoadBalancerEvent.is(event)).toBe(true)
        const bytes = Buffer.from(event.body!, event.isBase64Encoded ? 'base64' : 'utf8')
        expect(bytes.equals(any.body ?? Buffer.alloc(0))).toBe(true)
      }),
    )
  })
})
