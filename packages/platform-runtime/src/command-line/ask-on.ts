import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Ask } from './terminal.ts'

type Stream<S> = S & { readonly isTTY?: boolean }

/**
 * Returns a function that asks a question on a terminal, or undefined unless both streams are terminals. The answer is
 * one line, or empty when the input ends. Ctrl-C ends the program, as usual.
 */
export function askOn(
  input: Stream<NodeJS.ReadableStream>,
  output: Stream<NodeJS.WritableStream>,
): Ask | undefined {
  if (!input.isTTY || !output.isTTY) return undefined
  return (question, { isHidden = false } = {}) =>
    new Promise(resolve => {
      const lines = createInterface(
        isHidden ? { input, output: unseen(), terminal: true } : { input, output },
      )
      if (isHidden) output.write(question)
      lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
      lines.once('close', () => resolve(''))
      lines.question(question, answer => {
        if (isHidden) output.write('\n')
        resolve(answer)
        lines.close()
      })
    })
}

/** Returns a stream that discards its input, for the echo of a hidden answer. */
function unseen(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}
