import { deepStrictEqual } from 'node:assert'
import fc from 'fast-check'
import { refusals } from '../decode/problems.ts'
import { compile } from '../guard/compile.ts'
import { called } from '../guard/generate.ts'
import type { Codec } from '../io-ts/codec-of.ts'
import { listProblems } from '../problems/list-problems.ts'
import { prepare } from '../ready/prepare.ts'
import { printReady } from '../ready/print-ready.ts'
import { readyCodec, refusalsOfReady } from '../ready/ready-codec.ts'
import { UnwritableError } from '../ready/write-table.ts'
import { structureOf, transforms } from '../structure/structure.ts'
import { codecsAndValues } from './compile.fuzz.ts'
import { agree } from './hostile.fuzz.ts'

/** Prints the code of codecs, runs it, and returns the codecs that it exports. Each condition gets a name here. */
export function evaluated(codecs: Readonly<Record<string, Codec>>): Readonly<Record<string, Codec>> {
  const values: unknown[] = []
  const names = {
    get: (value: unknown) => (typeof value === 'function' ? `values[${values.push(value) - 1}]` : undefined),
  }
  const code = printReady({ codecs }, names as never).replace(/^export /gm, '')
  const all = Object.keys(codecs)
  return new Function(
    'readyCodec',
    'called',
    'values',
    `const { ${Object.keys(called)} } = called\n${code}return { ${all} }`,
  )(readyCodec, called, values)
}

/** Throws unless the precompiled codecs have the same results as the original codec. */
export function sameWhenReady(codec: Codec, make: () => unknown): void {
  const expected = refusals(codec, compile(codec), make())
  for (const ready of [prepare(codec), evaluated({ ready: codec }).ready!]) {
    agree(codec, make, ready.is)
    deepStrictEqual(refusalsOfReady(ready, make()), expected)
    deepStrictEqual(
      listProblems(structureOf(ready), make(), true),
      listProblems(structureOf(codec), make(), true),
    )
  }
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
