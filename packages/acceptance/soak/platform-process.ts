import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A platform in a separate process. */
export interface PlatformProcess {
  readonly url: string
  readonly pid: number
  /** Kills the process. */
  readonly kill: () => Promise<void>
  /** Asks the process to stop. Resolves when it has ended. */
  readonly stop: () => Promise<void>
  readonly signal: (name: NodeJS.Signals) => void
}

/**
 * Starts a platform with its data in a folder, and waits until it listens.
 * @param program takes the folder as an argument, and prints the address of the platform
 * @param more further arguments of the program
 * @param environment further environment variables of the program
 */
export async function startPlatform(
  program: URL,
  folder: string,
  more: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<PlatformProcess> {
  const flags = ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning']
  const child: ChildProcess = spawn(process.execPath, [...flags, fileURLToPath(program), folder, ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  const ended = once(child, 'exit')
  const first = once(createInterface(child.stdout!), 'line')
  const line = await Promise.race([first, ended])
  if (typeof line[0] !== 'string' || !/^(http|smtp|lmtp):/.test(line[0]))
    throw new Error('The platform did not start.')
  return {
    url: line[0],
    pid: child.pid!,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
    signal: name => child.kill(name),
  }
}

/**
 * Returns whether the platform was killed before it answered. Errors of the platform itself have no system error
 * code.
 */
export function isConnectionError(error: unknown): boolean {
  return /^(?:ECONN|EPIPE)/.test((error as { readonly code?: string }).code ?? '')
}
