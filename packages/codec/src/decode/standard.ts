import type { OutputOf, Type, TypeOf } from 'io-ts'
import type { Codec } from '../io-ts/codec-of.ts'
import { formatProblems, pointerKeys } from '../problems/problem.ts'
import { problems } from '../schemas/issues.ts'
import type { StandardSchema } from '../schemas/standard-schema.ts'
import { validate } from './decode.ts'

/**
 * Makes a Standard Schema from a codec, for tools that take schemas of any library (https://standardschema.dev). Each
 * problem becomes an issue, whose path is the place of the problem.
 *
 * @example
 * const result = standard(Order)['~standard'].validate(value)
 */
export function standard<C extends Codec>(codec: C): StandardSchema<TypeOf<C>, OutputOf<C>> {
  return {
    '~standard': {
      version: 1,
      vendor: 'signalbox',
      validate(value) {
        const result = validate(codec as Type<TypeOf<C>, OutputOf<C>, unknown>, value)
        if (result._tag === 'Right') return { value: result.right }
        return {
          issues: result.left.map(problem => {
            const message = formatProblems([{ ...problem, pointer: '' }]).slice('the value: '.length)
            const issue = { message, path: pointerKeys(problem.pointer) }
            problems.set(issue, problem)
            return issue
          }),
        }
      },
    },
  }
}
