import { contextOf } from '@signalbox/platform-runtime/command-line'
import { captureOutput } from '@signalbox/platform-runtime/command-line/testing/capture-output'
import { program } from '../source-modules.ts'

/** Returns a terminal that records its output, for tests of the whole command line. */
export function captureTerminal(cwd: string, stop?: AbortSignal, more?: Parameters<typeof captureOutput>[2]) {
  const captured = captureOutput(cwd, stop, more)
  return Object.defineProperty(captured, 'terminal', {
    value: contextOf(program, captured.terminal),
  }) as Omit<typeof captured, 'terminal'> & { readonly terminal: ReturnType<typeof contextOf> }
}
