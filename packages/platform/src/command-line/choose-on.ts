import type { Readable, Writable } from 'node:stream'
import type { Choose } from '@signalbox/platform-runtime/command-line'

type Stream<S> = S & { readonly isTTY?: boolean }

/**
 * Returns a function that lets the user choose with arrow keys and ticks. Returns undefined if one of the streams is not a
 * terminal. Ctrl-C ends the program, as usual.
 */
export function chooseOn(input: Stream<Readable>, output: Stream<Writable>): Choose | undefined {
  if (!input.isTTY || !output.isTTY) return undefined
  return async (question, names, { chosen, isOne }) => {
    // Few commands ask, so the others do not load the library.
    const { isCancel, multiselect, select } = await import('@clack/prompts')
    const shared = {
      message: question,
      options: names.map(name => ({ value: name, label: name })),
      input,
      output,
    }
    const answer = isOne
      ? await select({ ...shared, initialValue: chosen })
      : await multiselect({ ...shared, initialValues: [chosen], required: true })
    if (!isCancel(answer)) return [answer].flat()
    process.kill(process.pid, 'SIGINT')
    // The signal ends the process, so that nothing is written.
    return new Promise(() => {})
  }
}
