import { expect, it } from '@jest/globals'
import { methods, requestEvent } from '@signalbox/load-balancer/contract'
import fc from 'fast-check'
import { eventWriter } from './event-text.ts'
import type { HeaderLine } from './header-lines.ts'

const name = fc.oneof(
  fc.constantFrom('host', 'content-type', 'content-encoding', '__proto__', '7', 'x-a'),
  fc.stringMatching(/^[!#$%&'*+.^_`|~0-9a-z-]{1,5}$/),
)
const value = fc.oneof(
  fc.constantFrom('application/json', 'text/plain; charset=utf-8', 'gzip', '"\\\t\u00ff'),
  fc.string({ unit: 'binary-ascii' }),
)
const text = fc.oneof(
  fc.constant(''),
  fc.string({ unit: 'binary-ascii' }),
  fc.constant('a=1&a=2&__proto__=3&7&b'),
)

it('the JSON text of an event equals the output of JSON.stringify', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...methods),
      text,
      text,
      fc.array(fc.tuple(name, value), { minLength: 1 }),
      value,
      fc.oneof(fc.uint8Array(), fc.string().map(Buffer.from)),
      fc.boolean(),
      fc.string(),
      (method, path, query, lines, trace, body, multiValue, targetGroupArn) => {
        const group = { targetGroupArn, multiValue }
        const writer = eventWriter(group)
        const headers: HeaderLine[] = [...lines, ['x-cloud-trace-id', trace]]
        const written = writer.event({
          method,
          path,
          query,
          headers: writer.headers(lines),
          trace,
          traceText: JSON.stringify(trace),
          body,
        })
        const event = requestEvent({ method, path, query, headers, body }, group)
        expect(written.text).toBe(JSON.stringify(event))
        expect(JSON.stringify(written.event)).toBe(written.text)
      },
    ),
    { numRuns: 500 },
  )
})

it('events share no objects, so that a function cannot change the event of another request', () => {
  for (const multiValue of [false, true]) {
    const writer = eventWriter({ targetGroupArn: 'arn', multiValue })
    const headers = writer.headers([['a', '1']])
    const write = () =>
      writer.event({
        method: 'GET',
        path: '/',
        query: '',
        headers,
        trace: 't',
        traceText: '"t"',
        body: new Uint8Array(),
      }).event
    const first = write()
    const before = structuredClone(first)
    for (const part of Object.values(first)) {
      if (typeof part !== 'object' || part === null) continue
      for (const held of Object.values(part)) if (Array.isArray(held)) held.push('x')
      Object.assign(part, { changed: true })
    }
    Object.assign(first.requestContext.elb, { targetGroupArn: 'changed' })
    expect(write()).toEqual(before)
  }
})
