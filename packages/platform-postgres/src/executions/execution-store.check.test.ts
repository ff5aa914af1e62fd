import { manualClock } from '@signalbox/core/testing'
import { executionStorage } from '@signalbox/platform-invoke/store'
import { executionStoreSuite } from '@signalbox/platform-invoke/testing/execution-store-suite'
import { postgresEngine } from '../postgres-engine.ts'
import { testServer } from '../testing/server-suite.ts'

const { options, query } = testServer()

executionStoreSuite('PostgreSQL', async () => {
  const chosen = options()
  const engines: Awaited<ReturnType<typeof postgresEngine>>[] = []
  const open = async () => {
    // With a clock of a test, the times are those that callers give.
    const engine = await postgresEngine(chosen, { clock: manualClock() })
    engines.push(engine)
    return engine.opener(executionStorage)()
  }
  return {
    store: await open(),
    async crash() {
      await query(`update ${chosen.schema}.platforms set alive_until = 0`)
      return open()
    },
    async end() {
      await Promise.all(engines.map(each => each.close()))
    },
  }
})
