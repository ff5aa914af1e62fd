import { deepStrictEqual } from 'node:assert'
import { problems } from '@signalbox/codec'
import { refusalsOfReady } from '@signalbox/codec/ready'
import fc from 'fast-check'
import type { Mixed } from 'io-ts'
import { type Change, changedInOnePlace } from './changed-in-one-place.ts'

/** Returns any JSON value, or one of these. */
export const anyJsonOr = (...odd: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof(fc.jsonValue(), fc.constantFrom(...odd))

/** Returns changes of one place of a value: another value, no value, or another name. */
export const anyChange = (
  value: fc.Arbitrary<unknown>,
  names: readonly string[] = ['__proto__', 'constructor', 'x'],
): fc.Arbitrary<Change> =>
  fc.oneof(
    { weight: 3, arbitrary: value.map(value => ({ value })) },
    { weight: 1, arbitrary: fc.constant<Change>('removed') },
    { weight: 2, arbitrary: fc.constantFrom(...names).map(name => ({ name })) },
  )

/** A codec of the contract: its name in the built package, itself, and the value to check. */
type Checked = readonly [name: string, codec: Mixed, value: unknown]

/**
 * Checks that, for any value, the codecs in a built package report exactly the same problems as the codecs that are made
 * from the tables of the contract. The package must have been built before.
 * @param built the URL of the built codecs
 * @param checked returns what to check for a value. It gets a function that changes one place of a value.
 */
export async function fuzzBuiltCodecs<Value>(
  built: URL,
  values: fc.Arbitrary<Value>,
  odd: fc.Arbitrary<unknown>,
  checked: (value: Value, changed: (value: unknown) => unknown) => readonly Checked[],
  runs: number,
  seed?: number,
): Promise<string> {
  const codecs = (await import(built.href)) as Readonly<Record<string, Mixed>>
  let refused = 0
  const property = fc.property(values, fc.nat(), anyChange(odd), (value, place, change) => {
    for (const [name, codec, each] of checked(value, it => changedInOnePlace(it, place, change))) {
      const expected = problems(codec, each)
      if (expected.length > 0) refused++
      deepStrictEqual(refusalsOfReady(codecs[name]!, each) ?? [], expected)
    }
  })
  fc.assert(property, { numRuns: runs, ...(seed === undefined ? {} : { seed }) })
  return `${runs} values, ${refused} of them refused`
}
