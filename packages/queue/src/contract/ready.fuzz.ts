import { deepStrictEqual } from 'node:assert'
import { problems } from '@signalbox/codec'
import { refusalsOfReady } from '@signalbox/codec/ready'
import { type Change, changedInOnePlace } from '@signalbox/core/testing'
import fc from 'fast-check'
import type { Mixed } from 'io-ts'
import { arbitraryQueueEvent } from '../testing/arbitrary.ts'
import { QueueEnvelope, QueueEvent } from './event.ts'
import { QueueRecord } from './record.ts'

const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(null, 7, '', '7', true, [], {}, [null], 'cloud:queue'),
)
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: odd.map(value => ({ value })) },
  { weight: 1, arbitrary: fc.constant<Change>('removed') },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'x').map(name => ({ name })) },
)

/**
 * Checks that the precompiled codecs in the built package report exactly the same problems as the original codecs, for
 * any value. The package must be built first.
 */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  const path = new URL('../../dist/contract/ready.js', import.meta.url).href
  const written = (await import(path)) as Readonly<Record<string, Mixed>>
  let refused = 0
  const agree = (name: string, codec: Mixed, value: unknown) => {
    const expected = problems(codec, value)
    if (expected.length > 0) refused++
    deepStrictEqual(refusalsOfReady(written[name]!, value) ?? [], expected)
  }
  const property = fc.property(arbitraryQueueEvent, fc.nat(), change, (value, place, change) => {
    const changed = changedInOnePlace(value, place, change)
    agree('readyEvent', QueueEvent, changed)
    agree('readyEnvelope', QueueEnvelope, changed)
    agree('readyRecord', QueueRecord, value.Records[0])
    agree('readyRecord', QueueRecord, changedInOnePlace(value.Records[0] ?? {}, place, change))
  })
  fc.assert(property, { numRuns: runs, ...(seed === undefined ? {} : { seed }) })
  return `${runs} values, ${refused} of them refused`
}
