import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { InvalidOptionError } from './errors.ts'
import { notAnAnswer } from './not-an-answer.ts'

/**
 * Turns a function that returns a `TaskEither` into a handler, route or message handler of any family. The promise of
 * the result rejects with the value of a Left, as if the value had been thrown, and resolves to the value of a Right.
 *
 * @example
 * userPool({ PostAuthentication: fromTaskEither(event => recordSignIn(event.userName)) })
 * @throws InvalidOptionError for an argument that is not a function
 */
export function fromTaskEither<Args extends readonly unknown[], E, A>(
  run: (...args: Args) => TaskEither<E, A>,
): (...args: Args) => Promise<A> {
  if (typeof run !== 'function') {
    throw new InvalidOptionError('fromTaskEither() takes a function that returns a TaskEither')
  }
  const handler = async function taskEitherHandler(...args: Args): Promise<A> {
    const result = await run(...args)()
    if (result._tag === 'Left') throw result.left
    return result.right
  }
  return notAnAnswer('a handler', handler)
}
