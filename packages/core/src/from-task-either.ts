import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { InvalidOptionError } from './errors.ts'
import { notAnAnswer } from './not-an-answer.ts'

/**
 * Turns a function to `TaskEither` into a handler, route or message handler of any family: a left fails with
 * what it holds, exactly as if that had been thrown, and a right answers.
 * @throws InvalidOptionError for what is not a function
 */
export function fromTaskEither<Args extends readonly unknown[], E, A>(
  run: (...args: Args) => TaskEither<E, A>,
): (...args: Args) => Promise<A> {
  if (typeof run !== 'function') {
    throw new InvalidOptionError('fromTaskEither() takes a function that returns a TaskEither')
  }
  const handler = async function taskEitherHandler(...args: Args): Promise<A> {
    const outcome = await run(...args)()
    if (outcome._tag === 'Left') throw outcome.left
    return outcome.right
  }
  return notAnAnswer('a handler', handler)
}
