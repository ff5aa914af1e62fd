import { contextOf } from '../command-line/context-of.ts'
import { program } from '../source-modules.ts'
import { captureOutput } from './capture-output.ts'

/** A terminal that keeps what is printed on it, for tests of the whole command line. */
export function captureTerminal(cwd: string, stop?: AbortSignal) {
  const captured = captureOutput(cwd, stop)
  return Object.defineProperty(captured, 'terminal', {
    value: contextOf(program, captured.terminal),
  }) as Omit<typeof captured, 'terminal'> & { readonly terminal: ReturnType<typeof contextOf> }
}
