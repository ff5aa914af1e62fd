import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/**
 * Turns a function to `TaskEither` into a handler, route or message handler of any family: a left fails with
 * what it holds, exactly as if that had been thrown, and a right answers.
 */
export function fromTaskEither<Args extends readonly unknown[], E, A>(
  run: (...args: Args) => TaskEither<E, A>,
): (...args: Args) => Promise<A> {
  return async function taskEitherHandler(...args) {
    const outcome = await run(...args)()
    if (outcome._tag === 'Left') throw outcome.left
    return outcome.right
  }
}
