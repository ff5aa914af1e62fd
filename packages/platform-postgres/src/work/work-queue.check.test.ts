import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { eventStorage } from '@signalbox/platform-invoke/store'
import { workQueueSuite } from '@signalbox/platform-runtime/work/testing/work-queue-suite'
import { openDatabase, type Query } from '../database.ts'
import { postgresEngine } from '../postgres-engine.ts'
import { testServer } from '../testing/server-suite.ts'
import { workTable } from './work-table.ts'

const { options, query } = testServer()

workQueueSuite('PostgreSQL', async () => {
  const chosen = options()
  const engines: Awaited<ReturnType<typeof postgresEngine>>[] = []
  const open = async () => {
    const engine = await postgresEngine(chosen, { clock: manualClock() })
    engines.push(engine)
    return engine.opener(eventStorage)()
  }
  return {
    queue: await open(),
    async crash() {
      await query(`update ${chosen.schema}.platforms set alive_until = 0`)
      return open()
    },
    async end() {
      await Promise.all(engines.map(each => each.close()))
    },
  }
})

it('each piece of work is claimed by only one of the platforms that share a PostgreSQL schema', async () => {
  const shared = options()
  const engines = await Promise.all([1, 2, 3].map(() => postgresEngine(shared, { clock: undefined })))
  const queues = await Promise.all(engines.map(each => each.opener(eventStorage)()))
  let stopWatching = () => {}
  const heard = new Promise<void>(resolve => {
    stopWatching = queues[1]!.watch(resolve)
  })
  const keys = Array.from({ length: 60 }, (_, number) => `work-${number}`)
  const now = Date.now()
  await Promise.all(keys.map((key, at) => queues[at % 3]!.put({ queue: 'jobs', key, data: '' }, now)))
  await heard
  stopWatching()
  const claimed: string[] = []
  await Promise.all(
    queues.map(async queue => {
      for (;;) {
        const { work } = await queue.claim('jobs', now, 4)
        if (work.length === 0) return
        claimed.push(...work.map(({ key }) => key))
      }
    }),
  )
  expect(claimed.sort()).toEqual(keys.sort())
  await Promise.all(engines.map(each => each.close()))
})

it('work that becomes due while a platform looks for work is found at once, and not at the next poll', async () => {
  const chosen = options()
  const engine = await postgresEngine(chosen, { clock: undefined })
  await engine.opener(eventStorage)()
  const database = openDatabase(chosen)
  const table = workTable('event_work', 'one', () => null)
  const now = Date.now()
  await table.put(database.query, { queue: 'jobs', key: 'a', data: '' }, now)
  const [claimed] = (await table.claim(database.query, 'jobs', now, 1)).work
  await table.retry(database.query, claimed!, '', now + 300, now)
  const slow: Query = async (text, values) => {
    if (text.includes('as wait')) await database.query('select pg_sleep(0.6)')
    return database.query(text, values)
  }
  const { work, nextAt } = await table.claim(slow, 'jobs', now, 1)
  // On a slow machine, the work is due before it is looked for.
  expect([...work.map(({ key }) => key), ...(nextAt === undefined ? [] : ['a'])]).toEqual(['a'])
  await database.close()
  await engine.close()
})
