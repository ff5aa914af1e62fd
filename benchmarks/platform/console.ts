import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { systemClock } from '@signalbox/core/base'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { createPlatform } from '@signalbox/platform'
import { localInvocationLog } from '@signalbox/platform-runtime/platform/testing/parts'
import type { Row, Table } from '../harness/results.ts'
import { spread } from '../harness/spread.ts'
import { firstLists, longestTasks, shortestReported } from './console-browser.ts'

const rounds = 7
const million = 1_000_000
const firstList = 300
const filterLimit = 200
const taskLimit = 100
const watchedSeconds = 15

/** The filters, each with the number of invocations on its first page. */
const filters = {
  'a function': ['function=f7', 50],
  'a source that is rare': ['source=queue%20rare', 1],
  'what went wrong': ['severity=error&severity=warning', 50],
  'a request id': ['requestId=request-123456-of-many', 1],
  'a text that one invocation has': ['text=order-654321-end', 1],
  'a text that none has': ['text=nothing-like-it', 0],
  'a text of four letters that none has': ['text=zqxj', 0],
  'a time': ['from=500000000&to=500001000', 1],
  'all of them': ['function=f7&severity=ok&family=load-balancer&from=1&text=order-7', 50],
} as const

/** Measures the response times of the console when the log has many invocations, and while many arrive. */
export async function consoleApi(): Promise<Table> {
  const rows: Row[] = []
  const add = (setup: string, times: readonly number[]) => {
    const time = spread(times)
    rows.push({ setup, contender: 'Signalbox', role: 'ours', figures: { time } })
    return time
  }
  const opened = await withLog(100_000, async visit => ({
    api: await measured(() => visit.get('/invocations')),
    page: await firstLists(visit, rounds),
  }))
  add('the first list at 100,000 invocations', opened.api)
  const first = add('the first list at 100,000 invocations, painted in a browser', opened.page)
  const times = await withLog(million, async ({ get }) => {
    const all: [string, number[]][] = []
    for (const [name, [query, count]] of Object.entries(filters)) {
      const found = (await get(`/invocations?${query}`)) as { invocations: unknown[]; before?: number }
      const isWhole = count === 50 || found.before === undefined
      if (found.invocations.length !== count || !isWhole)
        throw new Error(`${name}: ${found.invocations.length} found, and the next page at ${found.before}`)
      all.push([name, await measured(() => get(`/invocations?${query}`))])
    }
    all.push([
      'the plot of a function',
      await measured(() => get('/functions/f7/series?from=0&to=2000000000')),
    ])
    return all
  })
  const found = times.map(([name, each]) => add(`${name}, at 1,000,000 invocations`, each))
  const busy = add('the list, while 1,000 invocations come in each second', await underLoad())
  const tasks = add(
    'the longest task of the page in a second, while 1,000 invocations come in each second',
    await tasksUnderLoad(),
  )
  const slowest = found.reduce((a, b) => (b.median > a.median ? b : a))
  return {
    name: 'console',
    title: 'Platform: the API of the console',
    about: `From a request of the API to its whole answer, over a socket; or in a browser, from opening the address. An event has about 500 bytes. Browsers report tasks from ${shortestReported} ms on.`,
    columns: [{ key: 'time', title: 'answered in', unit: 'ms' }],
    rows,
    goals: [
      goal(`the first list at 100,000 invocations in at most ${firstList} ms`, first, firstList),
      goal(`every filter over 1,000,000 invocations in at most ${filterLimit} ms`, slowest, filterLimit),
      goal(
        `the list in at most ${filterLimit} ms while 1,000 invocations come in each second`,
        busy,
        filterLimit,
      ),
      worst(
        `no task of the page over ${taskLimit} ms while 1,000 invocations come in each second`,
        tasks,
        taskLimit,
      ),
    ],
  }
}

function goal(text: string, figure: ReturnType<typeof spread>, most: number) {
  const reason = 'A filter by time reads the index of all newer entries.'
  return { goal: text, figure, unit: 'ms' as const, reached: figure.median <= most, reason }
}

/** Returns a goal for the greatest value instead of the median. */
function worst(text: string, figure: ReturnType<typeof spread>, most: number) {
  const reason = 'The platform, the load and the browser share the processors of one machine.'
  return { goal: text, figure, unit: 'ms' as const, reached: figure.high <= most, reason }
}

type Get = (path: string) => Promise<unknown>

interface Visit {
  readonly get: Get
  readonly origin: string
  readonly cookie: string
}

/** Measures a console with the given number of invocations in its log. */
async function withLog<T>(count: number, work: (visit: Visit) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  try {
    await fill(join(folder, 'invocation-log.sqlite'), count)
    const { platform, ...visit } = await open(folder)
    try {
      return await work(visit)
    } finally {
      await platform.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function open(dataDir: string) {
  const platform = createPlatform(
    {
      functions: Object.fromEntries(
        Array.from({ length: 10 }, (_, i) => [`f${i}`, { handler: async () => 'ok' }]),
      ),
      control: { port: 0 },
      invocationLog: { size: 100_000, age: 3650 },
      dataDir,
    },
    { console: true, clock: { ...systemClock, now: () => 1_000_000_000 } },
  )
  await platform.start()
  const { origin, hash } = new URL(await platform.consoleLink())
  const entered = await fetch(`${origin}/console/api/session`, {
    method: 'POST',
    headers: { 'x-signalbox-console': '1' },
    body: JSON.stringify({ token: hash.replace('#token=', '') }),
  })
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!
  const get: Get = async path => {
    const response = await fetch(`${origin}/console/api${path}`, { headers: { cookie } })
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
    return response.json()
  }
  return { platform, get, origin, cookie }
}

async function fill(path: string, count: number): Promise<void> {
  const database = new DatabaseSync(path)
  const log = localInvocationLog(database, {
    limits: { size: 1e12, age: 1e15 },
    clock: systemClock,
    notice: text => process.stderr.write(`${text}\n`),
  })
  const event = JSON.stringify(httpEvent('GET', '/orders/ORDER?view=full'))
  for (let i = 0; i < count; i++) {
    const ok = i % 50 !== 0
    log.append({
      requestId: `request-${i}-of-many`,
      functionName: `f${i % 10}`,
      source: i === 1000 ? 'queue rare' : 'load balancer web',
      family: 'load-balancer',
      ...{ attempt: 1, generation: 1, started: i * 1000, duration: i % 40 },
      event: event.replace('ORDER', `order-${i}-end`),
      payload: '{"statusCode":200}',
      failure: undefined,
      verdict: { kind: ok ? 'answered' : 'malformed', ok, text: ok ? '200 OK' : '502 Bad Gateway' },
      logs: [],
    })
    if (i % 5000 === 0) await log.flush()
  }
  // The index grows while nothing is written. The last entries wait until there are more.
  const left = database.prepare('select last_id - indexed as left from invocation_log')
  while (Number(left.get()!.left) > 64) await delay(100)
  await log.close()
  process.stderr.write(`${count} invocations: ${Math.round(statSync(path).size / count)} B each\n`)
}

/**
 * Runs `work` several times, and returns the time of each run in milliseconds. A first run is for warming up.
 */
async function measured(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const before = performance.now()
    await work()
    if (round > 0) times.push(performance.now() - before)
  }
  return times
}

/**
 * Returns the response times of the list while 1,000 invocations arrive each second and a visitor watches the
 * live list.
 */
async function underLoad(): Promise<number[]> {
  const { platform, get, origin, cookie } = await open(':memory:')
  const watching = new AbortController()
  try {
    const live = await fetch(`${origin}/console/api/live`, { headers: { cookie }, signal: watching.signal })
    void live.body!.pipeTo(new WritableStream()).catch(() => {})
    const loading = new AbortController()
    const load = invocations(platform, loading.signal)
    const times: number[] = []
    for (let round = 0; round < 25; round++) {
      const before = performance.now()
      await get('/invocations')
      times.push(performance.now() - before)
      await delay(200)
    }
    loading.abort()
    await load
    return times
  } finally {
    watching.abort()
    await platform.stop()
  }
}

/** Returns the longest tasks of the page that shows the live list while 1,000 invocations arrive each second. */
async function tasksUnderLoad(): Promise<readonly number[]> {
  const { platform, ...visit } = await open(':memory:')
  try {
    return await longestTasks(visit, watchedSeconds, signal => invocations(platform, signal))
  } finally {
    await platform.stop()
  }
}

/** Invokes functions 1,000 times a second until the signal aborts. */
async function invocations(platform: ReturnType<typeof createPlatform>, signal: AbortSignal): Promise<void> {
  const event = httpEvent('GET', '/orders/7?view=full')
  const begin = performance.now()
  for (let sent = 0; !signal.aborted; ) {
    const due = Math.floor(performance.now() - begin)
    for (; sent < due; sent++) void platform.invoke(`f${sent % 10}`, event)
    await setImmediate()
    await delay(5)
  }
}
