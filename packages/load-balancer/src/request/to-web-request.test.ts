import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { headerModes } from '../../fixtures/header-modes.ts'
import { requestEvent } from '../contract/index.ts'
import { arbitraryPath, arbitraryRequest, arbitraryText } from '../testing/arbitrary.ts'
import { type HttpEventOptions, httpEvent } from '../testing/index.ts'
import { LazyRequest } from './http-request.ts'
import { toWebRequest } from './to-web-request.ts'

const settings = { trustedHops: 1, bodyLimit: 1_000_000 }
const lazy = (event: ReturnType<typeof httpEvent>) =>
  new LazyRequest(event, {}, { signal: new AbortController().signal }, settings, {})
const web = (method: 'GET' | 'POST' | 'HEAD', path: string, options: HttpEventOptions = {}) =>
  toWebRequest(lazy(httpEvent(method, path, options)))

describe.each(headerModes)('toWebRequest() with %s', (_headers, multiValue) => {
  it('returns a Request with the URL, method, headers and body', async () => {
    const request = web('POST', '/a%20b?q=%C3%A9+x&q=2&e', {
      multiValue,
      headers: { 'x-a': ['1', '2'] },
      body: new Uint8Array([0, 255]),
    })
    expect(request.method).toBe('POST')
    expect(request.url).toBe(`https://shop.example/a%20b?${multiValue ? 'q=%C3%A9+x&' : ''}q=2&e=`)
    expect(request.headers.get('x-a')).toBe(multiValue ? '1, 2' : '2')
    expect(new Uint8Array(await request.arrayBuffer())).toEqual(new Uint8Array([0, 255]))
  })

  it('returns a Request without a body for GET and HEAD', () => {
    for (const method of ['GET', 'HEAD'] as const) {
      expect(web(method, '/', { multiValue, body: 'Test' }).body).toBeNull()
    }
    expect(web('POST', '/', { multiValue }).body).toBeNull()
  })
})

describe('toWebRequest()', () => {
  it('uses localhost when the request has no Host header', () => {
    const { headers: _, ...event } = httpEvent('GET', '/a')
    expect(toWebRequest(lazy(event)).url).toBe('http://localhost/a')
  })

  it.each(['/foo/../admin', '/./admin', '/foo/%2e%2e/admin', '/foo/..', '/%2E'])(
    'refuses the path %p, which URL normalization would change',
    path => {
      expect(() => web('GET', path)).toThrow('is not valid in a URL')
    },
  )

  it.each([
    ['//evil/admin', 'https://shop.example//evil/admin'],
    ['/a\\b', 'https://shop.example/a%5Cb'],
    ['/a\tb\n', 'https://shop.example/a%09b%0A'],
    ['/é "<>`{}|^', 'https://shop.example/%C3%A9%20%22%3C%3E%60%7B%7D%7C%5E'],
    ["/!'()*;,:@&=+$[]", "https://shop.example/!'()*;,:@&=+$[]"],
    ['/%5B%5d%255B%25%3F', 'https://shop.example/%5B%5d%255B%25%3F'],
    ['/%zz%', 'https://shop.example/%zz%'],
    ['/\ud800', 'https://shop.example/%EF%BF%BD'],
  ])('keeps the path %j', (path, url) => {
    expect(toWebRequest(lazy({ ...httpEvent('GET', '/'), path })).url).toBe(url)
  })

  it('escapes "?" and "#" in the path, and "#" in the query', () => {
    const event = { ...httpEvent('GET', '/'), path: '/a?b#c', queryStringParameters: { 'd#': 'e#f' } }
    expect(toWebRequest(lazy(event)).url).toBe('https://shop.example/a%3Fb%23c?d%23=e%23f')
  })

  it.each([
    'user@evil.example',
    'a b',
    '',
    'evil.example/x',
    'evil.example?x',
    'evil.example#x',
    'user:pw@shop',
  ])('refuses the host %j', host => {
    expect(() => web('GET', '/orders', { headers: { host } })).toThrow('is not valid in a URL')
  })

  it.each([{ 'x-a': '\u20ac' }, { 'x a': '1' }, { 'x-a': 'a\nb' }])('refuses the headers %j', headers => {
    expect(() => web('GET', '/', { headers })).toThrow('A header has a name or value that HTTP cannot carry')
  })

  it('keeps the number of segments of any path, or refuses the request with a 400', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          arbitraryPath(),
          arbitraryText().map(text => `/${text}`),
        ),
        path => {
          const event = { ...httpEvent('GET', '/'), path }
          let url: string
          try {
            url = toWebRequest(lazy(event)).url
          } catch (error) {
            expect(error).toMatchObject({ statusCode: 400 })
            return
          }
          const { pathname, host, search } = new URL(url)
          expect([host, search]).toEqual(['shop.example', ''])
          expect(pathname.split('/').length).toBe(path.split('/').length)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('keeps the body and the query of any request, or refuses the request with a 400', () => {
    fc.assert(
      fc.asyncProperty(arbitraryRequest(), async request => {
        const event = requestEvent(request, { targetGroupArn: '', multiValue: true })
        try {
          const made = toWebRequest(lazy(event))
          const expected =
            request.method === 'GET' || request.method === 'HEAD' ? [] : [...(request.body ?? [])]
          expect([...new Uint8Array(await made.arrayBuffer())]).toEqual(expected)
          expect([...new URL(made.url).searchParams]).toHaveLength(
            (request.query ?? '').split('&').filter(part => part !== '').length,
          )
        } catch (error) {
          expect(error).toMatchObject({ statusCode: 400 })
        }
      }),
    )
  })
})
