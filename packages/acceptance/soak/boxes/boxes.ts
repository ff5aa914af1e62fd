import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type SpawnedCommand, spawnCommand } from '@signalbox/platform/testing/spawned-command'
import { type DatabaseProxy, databaseProxy } from '@signalbox/platform-postgres/testing/database-proxy'

/** The addresses of a box, which is one of several platforms on the same database. */
interface BoxUrls {
  readonly queues: string
  readonly mail: string
  readonly pools: string
}

/** The running boxes. Each of them reaches the database server through its own proxy. */
export interface Boxes {
  /** Waits until at least one box is running, and returns the addresses of that box. */
  readonly any: () => Promise<BoxUrls>
  readonly proxies: readonly DatabaseProxy[]
  /**
   * Kills a box, and starts it again after `pause` milliseconds. Waits first if an earlier kill of the box is in
   * progress.
   */
  readonly kill: (box: number, pause: number) => Promise<void>
  /** Stops all boxes with SIGTERM. Returns a sentence for each unexpected exit of a box since the start. */
  readonly stop: () => Promise<readonly string[]>
  readonly killAll: () => Promise<void>
}

const project = fileURLToPath(new URL('./platform', import.meta.url))

/** Milliseconds before a box that exited because it could not reach the database server starts again. */
const restartDelay = 200

/**
 * Starts boxes with `signalbox start`, and restarts each box that exits because it cannot reach the database server.
 * @param killed is called whenever a box is killed
 */
export async function startBoxes(
  count: number,
  folder: string,
  serverUrl: string,
  random: () => number,
  killed: (box: number) => void,
): Promise<Boxes> {
  const problems: string[] = []
  const numbers = Array.from({ length: count }, (_, box) => box)
  const proxies = await Promise.all(numbers.map(() => databaseProxy(serverUrl)))
  const running: SpawnedCommand[] = []
  const up = new Map<number, BoxUrls>()
  const expected = new WeakSet<SpawnedCommand>()
  const restarts: Promise<void>[] = []

  const start = async (box: number): Promise<void> => {
    for (;;) {
      const command = spawnCommand(['start'], project, '', {
        SOAK_FOLDER: folder,
        SOAK_BOX: String(box),
        SIGNALBOX_POSTGRES_URL: proxies[box]!.url,
        SIGNALBOX_USER_POOL_KEY: Buffer.alloc(32, 7).toString('base64'),
      })
      running[box] = command
      const at = async (name: string) =>
        (await command.prints(new RegExp(`^${name}: +((?:http|smtp):\\S+)`, 'm')))[1]!
      try {
        up.set(box, { queues: await at('queues'), mail: await at('mail'), pools: await at('user pools') })
        void command.exit.then(({ code, printedErrors }) => {
          up.delete(box)
          if (!expected.has(command))
            problems.push(`box ${box} ended with ${code}: ${printedErrors.slice(-2000)}`)
        })
        return
      } catch (error) {
        if (expected.has(command)) return
        if (!/database (?:at \S+ )?is not available/i.test(String(error)))
          problems.push(`box ${box}: ${error}`)
        await delay(restartDelay)
      }
    }
  }

  const end = async (box: number, signal: 'SIGKILL' | 'SIGTERM') => {
    const command = running[box]!
    expected.add(command)
    up.delete(box)
    command.process.kill(signal)
    return command.exit
  }

  await Promise.all(numbers.map(start))
  return {
    proxies,
    async any() {
      for (;;) {
        const all = [...up.values()]
        const chosen = all[Math.floor(random() * all.length)]
        if (chosen !== undefined) return chosen
        await delay(20)
      }
    },
    kill(box, pause) {
      const restart = async () => {
        killed(box)
        await end(box, 'SIGKILL')
        await delay(pause)
        await start(box)
      }
      restarts[box] = (restarts[box] ?? Promise.resolve()).then(restart)
      return restarts[box]
    },
    async stop() {
      await Promise.all(restarts)
      const exits = await Promise.all(numbers.map(box => end(box, 'SIGTERM')))
      for (const [box, { code, printedErrors }] of exits.entries())
        if (code !== 0) problems.push(`box ${box} stopped with ${code}: ${printedErrors.slice(-2000)}`)
      return problems
    },
    async killAll() {
      await Promise.all(restarts)
      await Promise.all(numbers.map(box => end(box, 'SIGKILL')))
      await Promise.all(proxies.map(proxy => proxy.close()))
    },
  }
}
