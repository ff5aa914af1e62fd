import { accepts } from '../check/walk.ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import { generate, type Test } from './generate.ts'

/** Returns a guard whose code is generated at its first call. */
export function guardOf(codec: Codec): (value: unknown) => boolean {
  let test: Test = value => {
    test = build(codec)
    return test(value)
  }
  return value => {
    try {
      return !!test(value)
    } catch (error) {
      if (error instanceof RangeError) return accepts(codec, value)
      throw error
    }
  }
}

function build(codec: Codec): Test {
  try {
    return generate(codec)
  } catch (error) {
    if (!(error instanceof EvalError)) throw error
    // This runtime forbids generating code from strings.
    return value => codec.is(value)
  }
}
