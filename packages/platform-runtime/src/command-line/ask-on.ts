import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Ask } from './terminal.ts'

type Stream<S> = S & { readonly isTTY?: boolean }

/**
 * Returns a function that asks questions on a terminal. Returns undefined if one of the streams is not a terminal. The
 * answer to a question is one line, or empty if the input ends. Ctrl-C ends the program, as usual.
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

/** Returns a stream that discards what is written to it, so that a hidden answer is not shown. */
function unseen(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}
