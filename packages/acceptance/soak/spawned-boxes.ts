import { setTimeout as delay } from 'node:timers/promises'
import { type SpawnedCommand, spawnCommand } from '@signalbox/platform/testing/spawned-command'

/** Boxes, which are platforms on the same database, each in a process of its own. */
export interface SpawnedBoxes<Urls> {
  /** Returns the addresses of any box that runs. Returns undefined while none does. */
  readonly any: () => Urls | undefined
  /**
   * Kills a box, and starts it again after `pause` milliseconds. Resolves when it is killed. Waits first until the box
   * has started again after an earlier kill.
   */
  readonly kill: (box: number, pause?: number) => Promise<void>
  /** Stops all boxes with SIGTERM. Returns a sentence for each unexpected exit of a box since the start. */
  readonly stop: () => Promise<readonly string[]>
  readonly killAll: () => Promise<void>
}

interface SpawnedBoxesOptions<Urls> {
  readonly count: number
  /** The folder of the configuration file. */
  readonly project: string
  /** The folder in which functions write what they did. */
  readonly folder: string
  readonly random: () => number
  readonly environment: (box: number) => { readonly [name: string]: string }
  /** Returns the addresses of a box, by the names with which `signalbox start` prints them. */
  readonly urlsOf: (at: (name: string) => Promise<string>) => Promise<Urls>
  /** Called whenever a box is killed. */
  readonly killed?: (box: number) => void
}

/** Milliseconds before a box that exited because it could not reach the database server starts again. */
const restartDelay = 200

/** Starts boxes with `signalbox start`. A box that exits because it cannot reach the database server starts again. */
export async function spawnBoxes<Urls>({
  count,
  project,
  folder,
  random,
  environment,
  urlsOf,
  killed = () => {},
}: SpawnedBoxesOptions<Urls>): Promise<SpawnedBoxes<Urls>> {
  const problems: string[] = []
  const numbers = Array.from({ length: count }, (_, box) => box)
  const running: SpawnedCommand[] = []
  const up = new Map<number, Urls>()
  const expected = new WeakSet<SpawnedCommand>()
  const restarts: Promise<void>[] = []
  let isOver = false

  const start = async (box: number): Promise<void> => {
    while (!isOver) {
      const command = spawnCommand(['start'], project, '', {
        ...{ SOAK_FOLDER: folder, SOAK_BOX: String(box) },
        ...environment(box),
      })
      running[box] = command
      try {
        const urls = await urlsOf(
          async name => (await command.prints(new RegExp(`^${name}: +((?:http|smtp):\\S+)`, 'm')))[1]!,
        )
        up.set(box, urls)
        void command.exit.then(({ code, printedErrors }) => {
          if (running[box] === command) up.delete(box)
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

  const end = (box: number, signal: 'SIGKILL' | 'SIGTERM') => {
    const command = running[box]!
    expected.add(command)
    up.delete(box)
    command.process.kill(signal)
    return command.exit
  }

  await Promise.all(numbers.map(start))
  return {
    any() {
      const all = [...up.values()]
      return all[Math.floor(random() * all.length)]
    },
    async kill(box, pause = 0) {
      const turn = (restarts[box] ?? Promise.resolve()).then(() => {
        killed(box)
        return end(box, 'SIGKILL')
      })
      restarts[box] = turn.then(() => delay(pause)).then(() => start(box))
      await turn
    },
    async stop() {
      await Promise.all(restarts)
      isOver = true
      const exits = await Promise.all(numbers.map(box => end(box, 'SIGTERM')))
      for (const [box, { code, printedErrors }] of exits.entries())
        if (code !== 0) problems.push(`box ${box} stopped with ${code}: ${printedErrors.slice(-2000)}`)
      return problems
    },
    async killAll() {
      isOver = true
      await Promise.all(numbers.map(box => end(box, 'SIGKILL')))
      await Promise.all(restarts)
    },
  }
}
