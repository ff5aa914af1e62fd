import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A box in a process of its own. */
export interface Life {
  readonly url: string
  /** Ends it without warning. */
  readonly kill: () => Promise<void>
}

/** Starts a box on a folder, and waits until it listens. */
export async function startLife(folder: string): Promise<Life> {
  const box = fileURLToPath(new URL('./box.ts', import.meta.url))
  const flags = ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning']
  const child: ChildProcess = spawn(process.execPath, [...flags, box, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const first = once(createInterface(child.stdout!), 'line')
  const line = await Promise.race([first, ended])
  if (typeof line[0] !== 'string' || !line[0].startsWith('http')) throw new Error('The box did not start.')
  return {
    url: line[0],
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
