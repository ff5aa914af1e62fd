import { plain } from '../command-line/paint.ts'
import type { Terminal } from '../command-line/terminal.ts'

/** A terminal that keeps what is printed on it, for tests. */
export function captureOutput(cwd: string, stop: AbortSignal = new AbortController().signal) {
  const printed: string[] = []
  const complained: string[] = []
  const terminal: Terminal = {
    cwd,
    paint: plain,
    print: text => void printed.push(text),
    complain: text => void complained.push(text),
    stop,
  }
  return {
    terminal,
    get printed() {
      return printed.join('\n')
    },
    get complained() {
      return complained.join('\n')
    },
  }
}
