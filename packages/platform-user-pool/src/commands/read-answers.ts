import { createInterface } from 'node:readline'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'

/**
 * Reads secrets from the terminal or standard input, because other users of the machine could see command-line
 * arguments.
 */
export interface Answers extends Disposable {
  /**
   * Returns the answer to a question. At a terminal, the user enters it. Otherwise it is the next line of standard
   * input.
   * @throws Error when standard input has ended
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
