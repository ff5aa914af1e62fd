import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { builtOptions } from '../harness/built-options.ts'

/** A server in a separate process. */
export interface Server {
  readonly url: string
  /**
   * Returns the processor time or the memory that the server has used. Garbage is collected before memory is
   * measured.
   */
  readonly usage: (asked: 'processor' | 'memory') => Promise<Usage>
  readonly end: () => Promise<void>
}

/** The processor time and memory that a server has used. */
export interface Usage {
  /** Microseconds. */
  readonly processor: number
  /** Bytes. */
  readonly rss: number
  /** Bytes in use after a garbage collection. */
  readonly used: number
}

/** Starts a server program from the folder `servers/`. */
export async function startServer(name: string, ...args: readonly string[]): Promise<Server> {
  const file = fileURLToPath(new URL(`./servers/${name}.ts`, import.meta.url))
  const child: ChildProcess = fork(file, args, { execArgv: [...builtOptions, '--expose-gc'] })
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  return {
    url,
    async usage(asked) {
      child.send(asked)
      return ((await once(child, 'message')) as [Usage])[0]
    },
    async end() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
