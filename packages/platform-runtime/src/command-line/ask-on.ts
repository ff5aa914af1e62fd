import { createInterface } from 'node:readline'

type Stream<S> = S & { readonly isTTY?: boolean }

/**
 * Asks on a terminal: the answer is a line, and empty when the input ends. Undefined unless both streams are a
 * terminal. Ctrl-C ends the program, as it does elsewhere.
 */
export function askOn(
  input: Stream<NodeJS.ReadableStream>,
  output: Stream<NodeJS.WritableStream>,
): ((question: string) => Promise<string>) | undefined {
  if (!input.isTTY || !output.isTTY) return undefined
  return question =>
    new Promise(resolve => {
      const lines = createInterface({ input, output })
      lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
      lines.once('close', () => resolve(''))
      lines.question(question, answer => {
        resolve(answer)
        lines.close()
      })
    })
}
