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

it('an event is written as JSON.stringify would write it', () => {
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
          trace: JSON.stringify(trace),
          body,
        })
        const event = requestEvent({ method, path, query, headers, body }, group)
        expect(written).toBe(JSON.stringify(event))
      },
    ),
    { numRuns: 500 },
  )
})
