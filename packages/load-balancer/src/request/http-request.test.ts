import { describe, expect, it } from '@jest/globals'
import { headerModes } from '../../fixtures/header-modes.ts'
import { type HttpEventOptions, httpEvent } from '../testing/index.ts'
import type { Cookies } from './cookies.ts'
import { headerMap, LazyRequest, queryMap } from './http-request.ts'
import { toWebRequest } from './to-web-request.ts'
import type { Values } from './values.ts'

const settings = { trustedHops: 1, bodyLimit: 1000 }
const signal = new AbortController().signal

function request(options: HttpEventOptions & { path?: string } = {}, context = {}) {
  const { path = '/orders/7?a=1&b=%C3%A9&b=2', ...rest } = options
  return new LazyRequest(httpEvent('POST', path, rest), context, { signal }, settings, { id: '7' })
}

describe.each(headerModes)('a request with %s', (_headers, multiValue) => {
  it('has the method, path, query, headers, cookies and body of the event', () => {
    const made = request({
      multiValue,
      headers: { cookie: 'a=1; b=%C3%A9', 'X-A': 'x', 'x-forwarded-for': '6.6.6.6, 203.0.113.7' },
      body: { id: 7 },
    })
    const { method, path, params, cookies, body, clientAddress, protocol, correlationId, isHealthCheck } =
      made
    expect({
      method,
      path,
      params,
      cookies: { ...(cookies as Cookies) },
      body,
      clientAddress,
      protocol,
      correlationId,
    }).toEqual({
      method: 'POST',
      path: '/orders/7',
      params: { id: '7' },
      cookies: { a: '1', b: 'é' },
      body: { id: 7 },
      clientAddress: '203.0.113.7',
      protocol: 'https',
      correlationId: 'Root=1-5c536348-3d683b8b04734faae651f476',
    })
    expect(isHealthCheck).toBe(false)
    expect(made.signal).toBe(signal)
    const query = made.query as Values
    expect([query.first('a'), query.all('b').at(-1), query.first('c')]).toEqual(['1', '2', undefined])
    expect((made.headers as Values).first('x-A')).toBe('x')
  })

  it('has a method that can be destructured', () => {
    const { bytes } = request({ multiValue, body: 'a' })
    expect(bytes()).toEqual(Buffer.from('a'))
  })

  it('has an empty body when the event has no body', () => {
    const { event } = request({ multiValue })
    const made = new LazyRequest({ ...event, body: null }, {}, { signal }, settings, {})
    expect(made.bytes()).toHaveLength(0)
    expect(made.body).toBeUndefined()
    expect(toWebRequest(made).body).toBeNull()
  })

  it('decodes the query, headers, cookies and body only once', () => {
    const made = request({ multiValue, body: { id: 7 } })
    for (const part of ['query', 'headers', 'cookies', 'body'] as const) expect(made[part]).toBe(made[part])
  })

  it('is a health check when its only header is the user-agent of a health check', () => {
    const { event } = request({ multiValue })
    const agent = 'ELB-HealthChecker/2.0'
    const headers = multiValue
      ? { multiValueHeaders: { 'user-agent': [agent] } }
      : { headers: { 'user-agent': agent } }
    const made = new LazyRequest({ ...event, ...headers }, { requestId: 'r1' }, { signal }, settings, {})
    expect(made.isHealthCheck).toBe(true)
    expect([made.clientAddress, made.protocol, made.correlationId]).toEqual([undefined, 'http', 'r1'])
    expect(toWebRequest(made).url).toContain('http://localhost/orders/7')
  })

  it('uses the request id of the invocation when the trace header is empty', () => {
    const { event } = request({ multiValue, headers: { 'x-cloud-trace-id': '' } })
    const made = new LazyRequest(event, { requestId: 'r1' }, { signal }, settings, {})
    expect(made.correlationId).toBe('r1')
  })

  it('is not a health check when it has other headers besides the user-agent of a health check', () => {
    expect(request({ multiValue, headers: { 'user-agent': 'ELB-HealthChecker/2.0' } }).isHealthCheck).toBe(
      false,
    )
  })

  it('fails with 413 for a body above the limit, no matter how the body is read', () => {
    const made = request({ multiValue, body: 'a'.repeat(1001) })
    expect(() => made.body).toThrow('more than 1000 bytes')
    expect(made.bytes).toThrow('more than 1000 bytes')
    expect(() => toWebRequest(made)).toThrow('more than 1000 bytes')
  })
})

describe('the decoded parts of a request', () => {
  it('replace the original parts even when they are undefined', () => {
    const { event } = request()
    const decoded = { params: { id: 7 }, query: { a: 1 }, headers: {}, body: undefined }
    const made = new LazyRequest(event, {}, { signal }, settings, { id: '7' }, decoded)
    expect([made.params, made.query, made.headers, made.body]).toEqual([{ id: 7 }, { a: 1 }, {}, undefined])
    const partly = new LazyRequest(event, {}, { signal }, settings, { id: '7' }, {})
    expect(partly.params).toEqual({ id: '7' })
    expect((partly.query as Values).first('a')).toBe('1')
    expect((partly.headers as Values).has('host')).toBe(true)
    expect(partly.body).toBeUndefined()
  })
})

describe('headerMap and queryMap', () => {
  it('return an empty map when the event has no map', () => {
    const { headers: _, queryStringParameters: __, ...event } = httpEvent('GET', '/')
    expect([headerMap(event), queryMap(event)]).toEqual([{}, {}])
  })

  it('merge the two maps, and prefer the values of the multi-value map', () => {
    const event = {
      ...httpEvent('GET', '/'),
      queryStringParameters: { a: '2', b: '3' },
      multiValueQueryStringParameters: { a: ['1', '2'] },
    }
    expect(queryMap(event)).toEqual({ a: ['1', '2'], b: '3' })
  })
})
