import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { postgresServer } from '@signalbox/platform-postgres/testing/postgres-server'
import { generator } from '@signalbox/platform-runtime/testing/generator'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { startExecutionBoxes } from './execution-boxes.ts'
import { shapes } from './shapes.ts'

export interface ExecutionSoakOptions {
  readonly executions: number
  /** Milliseconds between two kills of a box. */
  readonly killEvery: number
  /** The number of times that the database server is restarted. */
  readonly restarts: number
  readonly seed: number
  readonly say?: (text: string) => void
}

export interface ExecutionSoakFigures {
  readonly ended: number
  readonly kills: number
  readonly restarts: number
  readonly invocations: number
  readonly violations: readonly string[]
}

interface HistoryEvent {
  readonly EventId: number
  readonly EventType: string
  readonly Name?: string
}

const boxCount = 3
/** The number of requests to start executions that run at the same time. */
const clients = 8
/** Milliseconds within which another execution must end. */
const waitLimit = 180_000

/**
 * Starts executions of twenty shapes on three boxes on one PostgreSQL server. Meanwhile, a random box is killed again and
 * again, and the server crashes and returns. Checks that every execution ends once with the right result, that its history
 * has no gap, and that a step at most once ran at most once in each attempt.
 */
export async function executionSoak(options: ExecutionSoakOptions): Promise<ExecutionSoakFigures> {
  const { executions, killEvery, restarts, seed, say = () => {} } = options
  using folder = temporaryFolder()
  const random = generator(seed)
  const server = await postgresServer()
  const boxes = await startExecutionBoxes(boxCount, folder.path, server.url, random).catch(async error => {
    await server.end()
    throw error
  })
  const violations: string[] = []
  const lines = (name: string) => {
    const path = join(folder.path, name)
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
  }

  const arns = new Map<number, string>()
  let next = 0
  const startAll = async () => {
    while (next < executions) {
      const number = next++
      const headers = {
        'x-amz-invocation-type': 'Event',
        'x-amz-durable-execution-name': `x-${number}`,
      }
      const path = '/2015-03-31/functions/shape/invocations'
      const { arn } = await boxes.insist('POST', path, JSON.stringify({ number }), headers)
      arns.set(number, arn!)
    }
  }

  let answered = 0
  const answerCallbacks = async () => {
    // A submitter that was interrupted may have noted its callback more than once.
    for (const line of lines('callbacks.txt').slice(answered)) {
      answered++
      const [number, id] = line.split(' ')
      const path = `/2025-12-01/durable-execution-callbacks/${encodeURIComponent(id!)}/succeed`
      await boxes.insist('POST', path, `answer ${number}`)
    }
  }

  /** Returns the names of the executions that have not ended, 1000 at most. */
  const running = async (): Promise<readonly string[]> => {
    const query = 'Statuses=RUNNING&MaxItems=1000'
    const { body } = await boxes.insist('GET', `/2025-12-01/functions/shape/durable-executions?${query}`)
    const found = body as { readonly DurableExecutions: readonly { readonly DurableExecutionName: string }[] }
    return found.DurableExecutions.map(({ DurableExecutionName }) => DurableExecutionName)
  }

  let kills = 0
  let crashes = 0
  let isOver = false
  const disturb = async () => {
    for (let left = restarts; !isOver; ) {
      await delay(killEvery)
      if (isOver) return
      kills++
      await boxes.kill(Math.floor(random() * boxCount))
      if (left === 0 || arns.size < (executions * (restarts - left + 1)) / (restarts + 1)) continue
      left--
      crashes++
      await server.kill()
      await delay(random() * 2000)
      await server.start()
      say(`${arns.size} executions started, ${kills} kills, ${crashes} restarts of the server`)
    }
  }

  try {
    const disturbing = disturb()
    disturbing.catch(() => {})
    const starting = Promise.all(Array.from({ length: clients }, startAll))
    let isStarted = false
    void starting.then(
      () => {
        isStarted = true
      },
      () => {
        isStarted = true
      },
    )
    let looks = 0
    let before = ''
    let changedAt = Date.now()
    for (;;) {
      await answerCallbacks()
      if (isStarted) {
        const left = await running()
        if (left.length === 0) break
        if (++looks % 50 === 0) say(`${left.length} executions run, such as ${left.slice(0, 5).join(', ')}`)
        // At most 1000 are listed, so their names show that one has ended.
        if (left.join() !== before) {
          before = left.join()
          changedAt = Date.now()
        } else if (Date.now() - changedAt > waitLimit) {
          violations.push(`none of these ended for ${waitLimit / 1000} s: ${left.join(', ')}`)
          break
        }
      }
      await delay(200)
    }
    await starting
    isOver = true
    await disturbing

    let ended = 0
    let invocations = 0
    const ran = new Map<string, number>()
    for (const line of lines('once.txt')) ran.set(line, (ran.get(line) ?? 0) + 1)
    for (const [number, arn] of arns) {
      const { name, result, fails = false } = shapes[number % shapes.length]!
      const path = `/2025-12-01/durable-executions/${encodeURIComponent(arn)}`
      const found = (await boxes.insist('GET', path)).body as {
        readonly Status: string
        readonly Result?: string
        readonly Error?: object
      }
      const events: HistoryEvent[] = []
      for (let marker = ''; ; ) {
        const answer = (await boxes.insist('GET', `${path}/history?MaxItems=1000${marker}`)).body as {
          readonly Events: readonly HistoryEvent[]
          readonly NextMarker?: string
        }
        events.push(...answer.Events)
        if (answer.NextMarker === undefined) break
        marker = `&Marker=${answer.NextMarker}`
      }
      const report = (what: string) => violations.push(`${name}, x-${number}: ${what}`)
      const right = fails ? 'FAILED' : 'SUCCEEDED'
      if (found.Status === right) ended++
      else report(`${found.Status} ${JSON.stringify(found.Error)}, expected ${right}`)
      const expected = JSON.stringify(result(number))
      if (!fails && found.Status === right && found.Result !== expected)
        report(`the result ${found.Result}, expected ${expected}`)
      if (events.some(({ EventId }, at) => EventId !== at + 1)) report('a gap in the history')
      const ends = events.filter(({ EventType }) => /^Execution(?!Started)/.test(EventType))
      if (ends.length !== 1) report(`${ends.length} ends`)
      invocations += events.filter(({ EventType }) => EventType === 'InvocationCompleted').length
      const attempts = events.filter(
        ({ EventType, Name }) => EventType === 'StepStarted' && Name === 'once',
      ).length
      const runs = ran.get(String(number)) ?? 0
      if (runs > attempts) report(`a step at most once ran ${runs} times in ${attempts} attempts`)
    }
    violations.push(...(await boxes.stop()))
    return { ended, kills, restarts: crashes, invocations, violations }
  } finally {
    isOver = true
    await boxes.killAll()
    await server.end()
  }
}
