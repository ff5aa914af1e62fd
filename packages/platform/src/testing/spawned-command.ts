import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('../command.ts', import.meta.url))

/** The signalbox command in a separate process, as users start it. */
export interface SpawnedCommand extends AsyncDisposable {
  readonly process: ChildProcess
  /** Resolves with the first match in the output, including output from before the call. */
  readonly prints: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly exit: Promise<{
    readonly code: number | null
    readonly printed: string
    readonly printedErrors: string
  }>
}

/**
 * Starts `signalbox …args` from source in a folder. The process reads `input` from stdin, which stays open for more input
 * when `input` is null.
 */
export function spawnCommand(
  args: readonly string[],
  folder: string,
  input: string | null = '',
  env: { readonly [name: string]: string } = {},
): SpawnedCommand {
  const child = spawn(
    process.execPath,
    ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning', command, ...args],
    { cwd: folder, stdio: 'pipe', env: { ...process.env, NO_COLOR: '1', ...env } },
  )
  if (input !== null) child.stdin.end(input)
  let printed = ''
  let printedErrors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printedErrors += text
  })
  const exit = new Promise<{ code: number | null; printed: string; printedErrors: string }>(resolve =>
    child.on('close', code => resolve({ code, printed, printedErrors })),
  )
  return {
    process: child,
    exit,
    async prints(pattern) {
      for (;;) {
        const found = pattern.exec(printed)
        if (found) return found
        if (child.exitCode !== null || child.signalCode !== null) {
          await exit
          const last = pattern.exec(printed)
          if (last) return last
          throw new Error(`signalbox ended: ${printed}${printedErrors}`)
        }
        await new Promise(resolve => setTimeout(resolve, 10))
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exit
    },
  }
}
