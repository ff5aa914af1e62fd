import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { type AccessStoreOptions, accessLogLimits, accessStorage } from '@signalbox/platform-runtime/access'
import { accessStorageSuite } from '@signalbox/platform-runtime/access/testing/access-storage-suite'
import { postgresEngine } from '../postgres-engine.ts'
import { testServer } from '../testing/server-suite.ts'

const database = testServer()

const makeStorage = () => {
  const shared = database.options()
  const engines: Awaited<ReturnType<typeof postgresEngine>>[] = []
  return {
    open: async (options: AccessStoreOptions) => {
      const engine = await postgresEngine(shared, { clock: undefined })
      engines.push(engine)
      return engine.opener(accessStorage)(options)
    },
    end: async () => {
      for (const engine of engines) await engine.close()
    },
  }
}

accessStorageSuite('PostgreSQL', async () => makeStorage())

it('a platform whose clock is 400 days ahead deletes no entries of the access log early', async () => {
  const { open, end } = makeStorage()
  const now = Date.now()
  const clocks = [now, now + 400 * 86_400_000].map(time => manualClock(time))
  const [own, ahead] = await Promise.all(clocks.map(clock => open({ age: 3_600_000, clock })))
  const counts = Array.from({ length: accessLogLimits.pruneEvery }, (_, at) => ({
    ...{ identity: 'shop', source: 'queues', operation: 'SendMessage', resource: `r${at}` },
    ...{ result: 'allowed', address: '192.0.2.1', first: now, last: now, count: 1 },
  }))
  await own!.log.write(counts.slice(0, 1))
  await ahead!.log.write(counts)
  expect(await ahead!.log.read({ last: 5000 })).toHaveLength(counts.length)
  for (const { close } of [own!, ahead!]) await close()
  await end()
})

it('access keys that a platform has loaded stay valid while the PostgreSQL server is down', async () => {
  const { open, end } = makeStorage()
  const { keys, close } = await open({ age: 1, clock: manualClock(0) })
  await keys.insert({ id: 'A', identity: 'shop', sealed: 'x', created: 0 })
  await database.server.kill()
  await expect(keys.revoke('A', 1)).rejects.toThrow('The database is not available')
  expect(keys.find('A')).toMatchObject({ identity: 'shop' })
  await database.server.start()
  expect(await keys.revoke('A', 1)).toBe(true)
  expect(keys.find('A')).toBeUndefined()
  await close()
  await end()
})
