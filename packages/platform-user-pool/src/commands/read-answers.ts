import { createInterface } from 'node:readline'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'

/**
 * Reads secrets that a command must not take as arguments, because other users of the machine can see those.
 */
export interface Answers extends Disposable {
  /**
   * Returns the answer to a question. At a terminal, the user enters it. Otherwise it is the next line of standard
   * input.
   * @throws Error at the end of the standard input
   */
  readonly next: (question: string, options?: { readonly isHidden?: boolean }) => Promise<string>
}

export function readAnswers({ ask }: Pick<CommandContext, 'ask'>): Answers {
  const lines = ask === undefined ? createInterface({ input: process.stdin }) : undefined
  const all = lines?.[Symbol.asyncIterator]()
  return {
    async next(question, options) {
      const answer =
        ask === undefined ? ((await all!.next()).value ?? '') : await ask(`${question}: `, options)
      if (answer === '') throw new Error(`${question}: nothing was given.`)
      return answer
    },
    [Symbol.dispose]: () => lines?.close(),
  }
}
