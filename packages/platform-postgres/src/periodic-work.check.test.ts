import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { openDatabase, type Query } from './database.ts'
import { layOut } from './layout/lay-out.ts'
import { periodicWork } from './periodic-work.ts'
import type { PostgresOptions } from './postgres-options.ts'
import { databaseProxy } from './testing/database-proxy.ts'
import { testServer } from './testing/server-suite.ts'

const test = testServer()

const program = fileURLToPath(new URL('./testing/periodic-work-to-pause.ts', import.meta.url))
const interval = 50

/** Creates a table to which periodic work adds its steps. Returns a function that reads the steps. */
async function steps(options: PostgresOptions) {
  const database = openDatabase(options)
  await layOut(database, options.schema)
  await database.query('create table steps (id integer generated always as identity, platform text)')
  await database.close()
  return async () => {
    const rows = await test.query(`select platform from ${options.schema}.steps order by id`)
    return rows.map(({ platform }) => platform)
  }
}

/** Starts periodic work on a platform with connections of its own. */
function platform(options: PostgresOptions, work: (query: Query) => Promise<void>, idle?: number) {
  const database = openDatabase(options)
  let attempts = 0
  const counting = {
    ...database,
    session(run: (query: Query) => Promise<void>) {
      attempts++
      return database.session(run)
    },
  }
  const stop = periodicWork(counting, { idle }).onePlatform('work', interval, work)
  return {
    /** Resolves when the platform has tried several times to take over the work. */
    async tried() {
      for (const first = attempts; attempts < first + 5; ) await delay(10)
    },
    async end() {
      await stop()
      await database.close()
    },
  }
}

/** Returns work that adds one step, and resolves `done` when it has done so. */
function oneStep(name: string) {
  let finish = () => {}
  const done = new Promise<void>(resolve => {
    finish = resolve
  })
  const work = async (query: Query) => {
    await query('insert into steps (platform) values ($1)', [name])
    finish()
  }
  return { work, done }
}

/** Returns work that adds one step, waits until the test continues it, and then tries to add another step. */
function twoSteps(name: string) {
  const { work: first, done: begun } = oneStep(name)
  let goOn = () => {}
  const continued = new Promise<void>(resolve => {
    goOn = resolve
  })
  let report = (_code: unknown) => {}
  const result = new Promise<unknown>(resolve => {
    report = resolve
  })
  const work = async (query: Query) => {
    await first(query)
    await continued
    await query('insert into steps (platform) values ($1)', ['late']).then(
      () => report(undefined),
      error => report(error.code),
    )
  }
  return { work, begun, goOn, result }
}

it('only one of several platforms runs periodic work in each interval', async () => {
  const chosen = test.options({ connections: 8 })
  const database = openDatabase(chosen)
  await layOut(database, chosen.schema)
  const timeOf = async () => (await database.query<{ time: number }>('select time_of(null) as time'))[0]!.time
  const started = await timeOf()
  const rare = 6 * interval
  let runs = 0
  const stops: (() => Promise<void>)[] = []
  for (let number = 0; number < 6; number++) {
    stops.push(periodicWork(database).onePlatform('work', rare, async () => void runs++))
    await delay(interval)
  }
  while (runs < 8) await delay(10)
  const elapsed = (await timeOf()) - started
  // Two runs have at least half an interval between them. Otherwise, six platforms would run six times in each
  // interval.
  expect(runs).toBeLessThanOrEqual(elapsed / (rare / 2) + 1)
  await Promise.all(stops.map(stop => stop()))
  await database.close()
})

it('work that takes longer than its interval and the idle time runs on only one platform at a time', async () => {
  const options = test.options()
  await steps(options)
  let running = 0
  const simultaneous: number[] = []
  const work = async (query: Query) => {
    simultaneous.push(++running)
    await query('select pg_sleep(0.6)', [])
    running--
  }
  const platforms = [0, 1, 2].map(() => platform(options, work, 500))
  while (simultaneous.length < 3) await delay(10)
  for (const { end } of platforms) await end()
  expect(new Set(simultaneous)).toEqual(new Set([1]))
})

it.each([
  ['its connection is cut', 60_000, 'leave'],
  ['the network loses its packets', 400, 'fallSilent'],
] as const)(
  'another platform takes over periodic work only when %s, and the earlier platform then changes nothing',
  async (_when, idle, disturb) => {
    const options = test.options()
    const stepsOf = await steps(options)
    const proxy = await databaseProxy(options.url)
    const holding = twoSteps('holder')
    const holder = platform({ ...options, url: proxy.url }, holding.work, idle)
    await holding.begun
    const taking = oneStep('other')
    const other = platform(options, taking.work, idle)
    if (disturb === 'leave') {
      await other.tried()
      expect(await stepsOf()).toEqual(['holder'])
    }
    proxy[disturb]()
    await taking.done
    proxy.comeBack()
    holding.goOn()
    expect(await holding.result).toBe('DATABASE_UNAVAILABLE')
    await holder.end()
    await other.end()
    expect(await stepsOf()).not.toContain('late')
    await proxy.close()
  },
)

it('a platform that was paused during periodic work changes nothing after another platform has taken over', async () => {
  const options = test.options()
  const stepsOf = await steps(options)
  const paused = fork(program, [options.url, options.schema, '400'], {
    execArgv: ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning'],
  })
  try {
    expect((await once(paused, 'message'))[0]).toBe('begun')
    paused.kill('SIGSTOP')
    const taking = oneStep('other')
    const other = platform(options, taking.work)
    await taking.done
    paused.send('go on')
    paused.kill('SIGCONT')
    expect((await once(paused, 'message'))[0]).toBe('DATABASE_UNAVAILABLE')
    await once(paused, 'exit')
    await other.end()
    expect((await stepsOf()).filter(step => step !== 'other')).toEqual(['paused'])
  } finally {
    paused.kill('SIGKILL')
  }
})
