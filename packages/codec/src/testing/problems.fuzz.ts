import fc from 'fast-check'
import { validate } from '../decode/decode.ts'
import { problems, refusals } from '../decode/problems.ts'
import { schema } from '../decode/schema.ts'
import { compile } from '../guard/compile.ts'
import type { Codec } from '../io-ts/codec-of.ts'
import { formatProblems, type Problem } from '../problems/problem.ts'
import { transforms } from '../structure/structure.ts'
import { codecsAndValues } from './compile.fuzz.ts'

/** Returns the problems of a value as lines of text. */
export function lines(codec: unknown, value: unknown): readonly string[] {
  return problems(codec as Codec, value).map(problem => formatProblems([problem]))
}

function result<T>(check: () => T): T | undefined {
  try {
    return check()
  } catch {
    return undefined
  }
}

/** Throws unless the list has between 1 and 101 problems whose texts are readable. */
function readable(found: readonly Problem[] | null): void {
  if (!found || found.length < 1 || found.length > 101) throw new Error(`${found?.length} problems`)
  if (formatProblems(found).split('\n').length !== found.length) throw new Error('more lines than problems')
  for (const { pointer, expected, actual } of found) {
    if (!/^(\/([^~/]|~[01])*)*$/.test(pointer) || expected === '' || actual === '') {
      throw new Error(`Not readable: ${JSON.stringify({ pointer, expected, actual })}`)
    }
  }
}

/** Checks for any codec and value that nothing throws, and that every refused value has problems. */
export function fuzz(runs: number, seed?: number): string {
  const property = fc.property(codecsAndValues, ([codec, make]) => {
    const guard = compile(codec)
    const accepted = result(() => guard(make())) === true
    const predicate = schema(codec)
    if (predicate(make()) !== accepted || (predicate.errors === null) !== accepted) throw new Error('schema')
    if (!accepted) readable(refusals(codec, guard, make()))

    const decoded = validate(codec, make())
    const expected = result(() => codec.decode(make()))
    if (decoded._tag === 'Left') readable(decoded.left)
    if (transforms(codec) && decoded._tag !== (expected?._tag ?? 'Left')) throw new Error('validate')
    if (!transforms(codec) && accepted && decoded._tag !== 'Right') throw new Error('validate')

    const found = problems(codec, make())
    const wrong = transforms(codec) ? decoded._tag === 'Left' : !accepted
    if (found.length > 0 !== wrong) throw new Error('problems')
    if (wrong) readable(found)
  })
  fc.assert(property, { numRuns: runs, ...(seed === undefined ? {} : { seed }) })
  return `${runs} codecs`
}
