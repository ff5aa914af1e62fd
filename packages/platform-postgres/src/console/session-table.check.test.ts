import { expect, it } from '@jest/globals'
import type { Clock } from '@signalbox/core'
import { sessionStorage } from '@signalbox/platform-runtime/console'
import { sessionTableSuite } from '@signalbox/platform-runtime/console/testing/session-table-suite'
import { postgresEngine } from '../postgres-engine.ts'
import { testServer } from '../testing/server-suite.ts'

const database = testServer()

function makeStorage(clock: Clock | undefined) {
  const shared = database.options()
  const engines = new Set<Awaited<ReturnType<typeof postgresEngine>>>()
  return {
    schema: shared.schema,
    open: async () => {
      const engine = await postgresEngine(shared, { clock })
      engines.add(engine)
      const leave = () => {
        engines.delete(engine)
        return engine.close()
      }
      return { ...(await engine.opener(sessionStorage)()), leave }
    },
    end: async () => void (await Promise.all([...engines].map(engine => engine.close()))),
  }
}

sessionTableSuite('PostgreSQL', async clock => makeStorage(clock))

it('when a platform ends, its console links become invalid, but its console sessions stay open', async () => {
  const { schema, open, end } = makeStorage(undefined)
  const [one, dying, other] = [await open(), await open(), await open()]
  await one.addLink('link')
  await one.begin('session', { keyId: undefined })
  await one.leave()
  await dying.addLink('lost')
  // A platform that was killed sends no more heartbeats.
  await database.query(
    `update ${schema}.platforms set alive_until = 0 where id in (select platform from ${schema}.console_links)`,
  )
  expect([await other.useLink('link'), await other.useLink('lost')]).toEqual([false, false])
  expect(await other.find('session')).toEqual({ keyId: undefined })
  await end()
})
