import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A platform in a separate process. */
export interface PlatformProcess {
  readonly url: string
  /** Kills the process. */
  readonly kill: () => Promise<void>
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
  if (typeof line[0] !== 'string' || !/^(http|smtp):/.test(line[0]))
    throw new Error('The platform did not start.')
  return {
    url: line[0],
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
