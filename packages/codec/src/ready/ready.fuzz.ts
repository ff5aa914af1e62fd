import { deepStrictEqual } from 'node:assert'
import fc from 'fast-check'
import { examine } from '../check/walk.ts'
import { codecsAndValues } from '../guard/compile.fuzz.ts'
import { compile } from '../guard/compile.ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import { transforms } from '../io-ts/transforms.ts'
import { isObject } from '../json/is-object.ts'
import { listProblems } from '../problems/list-problems.ts'
import { refusals } from '../problems/problems.ts'
import { withoutIoTs } from '../understanding/without-io-ts.ts'
import { prepare } from './prepare.ts'
import { printReady } from './print-ready.ts'
import { readyCodec } from './ready-codec.ts'
import { refusalsOfReady } from './refusals-of-ready.ts'
import { UnwritableError } from './write-table.ts'

/** Prints the code of codecs, runs it, and returns the codecs that it exports. Each condition gets a name here. */
export function evaluated(codecs: Readonly<Record<string, Codec>>): Readonly<Record<string, Codec>> {
  const values: unknown[] = []
  const names = {
    get: (value: unknown) => (typeof value === 'function' ? `values[${values.push(value) - 1}]` : undefined),
  }
  const code = printReady({ codecs }, names as never).replace(/^export /gm, '')
  const all = Object.keys(codecs)
  return new Function('readyCodec', 'isObject', 'values', `${code}return { ${all} }`)(
    readyCodec,
    isObject,
    values,
  )
}

/** Throws unless the precompiled codecs have the same results as the original codec. */
export function sameWhenReady(codec: Codec, make: () => unknown): void {
  const expected = refusals(codec, compile(codec), make())
  for (const ready of [prepare(codec), evaluated({ ready: codec }).ready!]) {
    deepStrictEqual(refusalsOfReady(ready, make()), expected)
    // The structure of a precompiled codec is the same as that of its source.
    deepStrictEqual(listed(ready, make(), true, examine), listed(codec, make(), true, examine))
    deepStrictEqual(listed(ready, make(), true, withoutIoTs.examine), listed(codec, make(), true, examine))
  }
}

function listed(codec: Codec, value: unknown, decoding: boolean, how: typeof examine) {
  return listProblems(
    () => how(codec, value, decoding),
    () => 'a valid value',
  )
}

/** Checks for any codec and value that a precompiled codec reports exactly the same problems as its source. */
export function fuzz(runs: number, seed?: number): string {
  let ready = 0
  const property = fc.property(codecsAndValues, ([codec, make]) => {
    if (transforms(codec)) return
    try {
      sameWhenReady(codec, make)
      ready++
    } catch (error) {
      if (!(error instanceof UnwritableError)) throw error
    }
  })
  fc.assert(property, { numRuns: runs, ...(seed === undefined ? {} : { seed }) })
  return `${runs} codecs, ${ready} of them ready`
}
