import { expect, it } from '@jest/globals'
import { systemClock } from '@signalbox/core'
import { eventStorage } from '@signalbox/platform-invoke/store'
import { eventStoreSuite } from '@signalbox/platform-invoke/testing/event-store-suite'
import { postgresEngine } from '../postgres-engine.ts'
import { testServer } from '../testing/server-suite.ts'

const { options } = testServer()

eventStoreSuite('PostgreSQL', async clock => {
  const engine = await postgresEngine(options(), { clock })
  const store = await engine.opener(eventStorage)({ clock })
  return { ...store, close: engine.close }
})

it('each event is taken by only one of the platforms that share a PostgreSQL schema', async () => {
  const shared = options()
  const engines = await Promise.all([1, 2, 3].map(() => postgresEngine(shared, { clock: undefined })))
  const stores = await Promise.all(engines.map(each => each.opener(eventStorage)({ clock: systemClock })))
  const ids = Array.from({ length: 60 }, (_, number) => `event-${number}`)
  await Promise.all(
    ids.map((id, at) =>
      stores[at % 3]!.add({ id, functionName: 'work', payload: '1', clientContext: undefined }),
    ),
  )
  const taken: string[] = []
  await Promise.all(
    stores.map(async store => {
      for (;;) {
        const events = await store.take('work', { max: 4, lease: 60_000 })
        if (events.length === 0) return
        taken.push(...events.map(({ id }) => id))
      }
    }),
  )
  expect(taken.sort()).toEqual(ids.sort())
  await Promise.all(engines.map(each => each.close()))
})
