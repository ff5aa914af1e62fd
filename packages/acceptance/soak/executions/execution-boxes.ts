import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type SpawnedCommand, spawnCommand } from '@signalbox/platform/testing/spawned-command'

/** The answer of the Invoke API. */
interface ApiAnswer {
  readonly body: unknown
  /** The ARN of the execution that was started. */
  readonly arn: string | undefined
}

/** Boxes that run executions on one database. */
export interface ExecutionBoxes {
  /** Sends a request to any box, again and again until one answers it. A refusal counts as an answer to a callback. */
  readonly insist: (
    method: 'GET' | 'POST',
    path: string,
    body?: string,
    headers?: { readonly [name: string]: string },
  ) => Promise<ApiAnswer>
  /** Kills a box, and starts it again. Resolves when it is killed. */
  readonly kill: (box: number) => Promise<void>
  /** Stops all boxes. Returns a sentence for each unexpected exit since the start. */
  readonly stop: () => Promise<readonly string[]>
  readonly killAll: () => Promise<void>
}

const project = fileURLToPath(new URL('./platform', import.meta.url))

/** Milliseconds before a box that exited because it could not reach the database server starts again. */
const restartDelay = 200

/** Milliseconds after which a request that no box has answered is an error. */
const timeLimit = 120_000

/** Starts boxes with `signalbox start`. A box that exits because it cannot reach the database server starts again. */
export async function startExecutionBoxes(
  count: number,
  folder: string,
  serverUrl: string,
  random: () => number,
): Promise<ExecutionBoxes> {
  const problems: string[] = []
  const running: SpawnedCommand[] = []
  const urls = new Map<number, string>()
  const expected = new WeakSet<SpawnedCommand>()
  const restarts: Promise<void>[] = []
  const numbers = Array.from({ length: count }, (_, box) => box)
  let isOver = false

  const start = async (box: number): Promise<void> => {
    while (!isOver) {
      const command = spawnCommand(['start'], project, '', {
        SOAK_FOLDER: folder,
        SOAK_BOX: String(box),
        SIGNALBOX_POSTGRES_URL: serverUrl,
      })
      running[box] = command
      try {
        urls.set(box, (await command.prints(/^invoke: +(http:\S+)/m))[1]!)
        void command.exit.then(({ code, printedErrors }) => {
          if (running[box] === command) urls.delete(box)
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
    urls.delete(box)
    command.process.kill(signal)
    return command.exit
  }

  await Promise.all(numbers.map(start))
  return {
    async insist(method, path, body, headers = {}) {
      for (const since = Date.now(); ; ) {
        const all = [...urls.values()]
        const url = all[Math.floor(random() * all.length)]
        try {
          if (url !== undefined) {
            const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
            const text = await response.text()
            const isEnded = response.status === 400 && path.includes('/durable-execution-callbacks/')
            if (response.ok || isEnded)
              return {
                body: text === '' ? undefined : JSON.parse(text),
                arn: response.headers.get('x-amz-durable-execution-arn') ?? undefined,
              }
            if (response.status < 500 && response.status !== 429)
              throw new Error(`${method} ${path}: ${response.status} ${text}`)
          }
        } catch (error) {
          if (!(error instanceof TypeError)) throw error
        }
        if (Date.now() - since > timeLimit) throw new Error(`No box answers ${method} ${path}.`)
        await delay(50)
      }
    },
    async kill(box) {
      await restarts[box]
      await end(box, 'SIGKILL')
      restarts[box] = start(box)
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
