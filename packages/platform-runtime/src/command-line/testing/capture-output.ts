import { plain } from '../paint.ts'
import type { Terminal } from '../terminal.ts'

/** Returns a terminal for tests. It keeps its output. */
export function captureOutput(
  cwd: string,
  stop: AbortSignal = new AbortController().signal,
  more: Pick<Terminal, 'ask' | 'choose' | 'progress'> = {},
) {
  const printed: string[] = []
  const printedErrors: string[] = []
  const terminal: Terminal = {
    cwd,
    paint: plain,
    print: text => void printed.push(text),
    printError: text => void printedErrors.push(text),
    stop,
    ...more,
  }
  return {
    terminal,
    get printed() {
      return printed.join('\n')
    },
    get printedErrors() {
      return printedErrors.join('\n')
    },
  }
}
