import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { eventStorage } from '@signalbox/platform-invoke/store'
import { workQueueSuite } from '@signalbox/platform-runtime/work/testing/work-queue-suite'
import { postgresEngine } from '../postgres-engine.ts'
import { testServer } from '../testing/server-suite.ts'

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
