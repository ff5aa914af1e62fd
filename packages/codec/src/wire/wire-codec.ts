import type { Type, ValidationError } from 'io-ts'
import { codecOf, failure, success } from '../codec-of.ts'
import { compile } from '../compile.ts'
import type { Problem } from '../problem.ts'
import { refusals } from '../problems.ts'
import { declare, type Structure } from '../structure.ts'

/**
 * A codec of what is on the wire: it only checks. What it accepts it answers as it is, whatever its parts would
 * make of it.
 * @param inside what codecs of io-ts have, for those who look into codecs
 */
export function wireCodec<A>(
  name: string,
  shape: Structure,
  is: (u: unknown) => unknown,
  inside?: object,
): Type<A> {
  const codec: Type<A> = codecOf<A>({
    name,
    is: is as never,
    validate(value, context) {
      const found = refusals(codec, compile(codec), value)
      return found ? failure(...errorsOf(found, value, context)) : success(value as A)
    },
  })
  declare(codec, { ...shape, checksOnly: true })
  return Object.assign(codec, inside)
}

/** Problems in the words of io-ts, whose reporters then tell the same. */
export function errorsOf(
  problems: readonly Problem[],
  value: unknown,
  context: ValidationError['context'],
): ValidationError[] {
  return problems.map(({ pointer, expected }) => {
    const type = codecOf({ name: expected, is: (_): _ is unknown => true, validate: success })
    let actual = value
    const path = pointer
      .split('/')
      .slice(1)
      .map(escaped => {
        const key = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
        actual = Object(actual)[key]
        return { key, type, actual }
      })
    return { value: actual, context: [...context, ...path] }
  })
}
