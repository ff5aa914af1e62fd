import fc from 'fast-check'
import { type LoadBalancerEvent, methods, type RawRequest, requestEvent } from '../contract/index.ts'

const rawCharacters = "abzABZ019-._~!$&'()*+,;=:@".split('')
const escapes = ['%20', '%2F', '%2f', '%2e', '%25', '%00', '%C3%A9', '%c3', '%', '%zz', '%E0%A4%A']

/** Generates a piece of a path or query: unreserved characters, escapes and malformed escapes. */
function piece(): fc.Arbitrary<string> {
  const part = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...rawCharacters) },
    fc.constantFrom(...escapes),
  )
  return fc.array(part, { maxLength: 8 }).map(parts => parts.join(''))
}

/**
 * Generates paths as clients send them: ordinary paths, and paths with empty segments, dot segments, encoded slashes
 * and malformed escapes.
 * @example
 * ```ts
 * import { arbitraryPath } from '@signalbox/load-balancer/testing/arbitrary'
 * import fc from 'fast-check'
 *
 * fc.assert(fc.property(arbitraryPath(), path => path.startsWith('/')))
 * ```
 */
export function arbitraryPath(): fc.Arbitrary<string> {
  const segment = fc.oneof(
    { weight: 4, arbitrary: piece() },
    fc.constantFrom('', '.', '..', '%2e%2e', 'orders', '7'),
  )
  return fc.array(segment, { maxLength: 5 }).map(segments => `/${segments.join('/')}`)
}

/**
 * Generates queries as clients send them, with repeated names, empty names and names without a value.
 * @example
 * ```ts
 * import { requestEvent } from '@signalbox/load-balancer/contract'
 * import { arbitraryQuery } from '@signalbox/load-balancer/testing/arbitrary'
 * import fc from 'fast-check'
 *
 * const group = { targetGroupArn: 'arn:cloud:target-group/shop', multiValue: true }
 * fc.assert(
 *   fc.property(arbitraryQuery(), query => requestEvent({ method: 'GET', path: '/', query }, group).path === '/'),
 * )
 * ```
 */
export function arbitraryQuery(): fc.Arbitrary<string> {
  const name = fc.oneof(piece(), fc.constantFrom('a', 'b', '', '__proto__', 'constructor', '%61', 'tag[]'))
  const pair = fc.oneof(
    fc.tuple(name, fc.oneof(piece(), fc.constant('a+b'))).map(parts => parts.join('=')),
    name,
    fc.constant(''),
  )
  return fc.array(pair, { maxLength: 6 }).map(pairs => pairs.join('&'))
}

const headerNames = ['accept', 'cookie', 'X-Forwarded-For', 'x-custom', 'If-None-Match', 'referer']

/** Generates printable text without spaces at its ends. */
function headerText(): fc.Arbitrary<string> {
  const character = fc.integer({ min: 0x20, max: 0x7e }).map(code => String.fromCharCode(code))
  return fc.string({ unit: character, maxLength: 14 }).map(text => text.trim() || '-')
}

/**
 * Generates any text, including control characters and lone surrogates. It is built from code points, because setting
 * up the unit `binary` of fast-check takes a second.
 * @example
 * ```ts
 * import { text } from '@signalbox/load-balancer'
 * import { arbitraryText } from '@signalbox/load-balancer/testing/arbitrary'
 * import fc from 'fast-check'
 *
 * fc.assert(fc.property(arbitraryText(), body => text(body).body === body))
 * ```
 */
export function arbitraryText(): fc.Arbitrary<string> {
  const code = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ max: 0xff, min: 0 }) },
    fc.integer({ min: 0, max: 0x10_ffff }),
  )
  return fc.string({ unit: code.map(each => String.fromCodePoint(each)) })
}

function content(): fc.Arbitrary<{ type: string; body: Uint8Array }> {
  const as = (type: string) => (body: string | Uint8Array) => ({ type, body: Buffer.from(body as string) })
  return fc.oneof(
    fc.json().map(as('application/json')),
    arbitraryText().map(as('text/plain; charset=utf-8')),
    arbitraryQuery().map(as('application/x-www-form-urlencoded')),
    fc.uint8Array({ maxLength: 64 }).map(as('application/octet-stream')),
    fc.uint8Array({ maxLength: 64 }).map(as('text/plain')),
  )
}

/**
 * Generates any request that a client can send.
 * @example
 * ```ts
 * import { LoadBalancerEvent, requestEvent } from '@signalbox/load-balancer/contract'
 * import { arbitraryRequest } from '@signalbox/load-balancer/testing/arbitrary'
 * import fc from 'fast-check'
 *
 * const group = { targetGroupArn: 'arn:cloud:target-group/shop', multiValue: true }
 * fc.assert(fc.property(arbitraryRequest(), request => LoadBalancerEvent.is(requestEvent(request, group))))
 * ```
 */
export function arbitraryRequest(): fc.Arbitrary<RawRequest> {
  return fc
    .record({
      method: fc.constantFrom(...methods),
      path: arbitraryPath(),
      query: arbitraryQuery(),
      headers: fc.array(fc.tuple(fc.constantFrom(...headerNames), headerText()), { maxLength: 6 }),
      content: fc.option(content(), { nil: undefined }),
    })
    .map(({ content, headers, ...request }) =>
      content === undefined
        ? { ...request, headers }
        : { ...request, headers: [...headers, ['content-type', content.type] as const], body: content.body },
    )
}

/**
 * Generates valid events with single-value and multi-value headers, absent and null optional fields, and unknown
 * fields.
 * @example
 * ```ts
 * import { LoadBalancerEvent } from '@signalbox/load-balancer/contract'
 * import { arbitraryHttpEvent } from '@signalbox/load-balancer/testing/arbitrary'
 * import fc from 'fast-check'
 *
 * fc.assert(fc.property(arbitraryHttpEvent(), event => LoadBalancerEvent.is(event)))
 * ```
 */
export function arbitraryHttpEvent(): fc.Arbitrary<LoadBalancerEvent> {
  return fc
    .record({
      request: arbitraryRequest(),
      targetGroupArn: fc.string(),
      multiValue: fc.boolean(),
      singleHeaders: fc.boolean(),
      without: fc.subarray(['body', 'headers', 'queryStringParameters', 'multiValueQueryStringParameters']),
      filler: fc.constantFrom(undefined, null),
      unknown: fc.dictionary(
        fc.string().map(name => `x-${name}`),
        fc.jsonValue(),
        { maxKeys: 2 },
      ),
    })
    .map(({ request, targetGroupArn, multiValue, singleHeaders, without, filler, unknown }) => {
      const event: Record<string, unknown> = {
        ...requestEvent(request, { targetGroupArn, multiValue }),
        ...unknown,
      }
      if (multiValue && singleHeaders && !without.includes('multiValueQueryStringParameters')) {
        // The contract also allows an event with single-value headers and a multi-value query.
        event.headers = requestEvent(request, { targetGroupArn, multiValue: false }).headers
        delete event.multiValueHeaders
      }
      for (const name of without) {
        if (filler === null) event[name] = null
        else delete event[name]
      }
      return event as unknown as LoadBalancerEvent
    })
}
