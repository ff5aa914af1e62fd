import { invocationLogStorage } from '@signalbox/platform-runtime/invocation-log'
import { invocationTransferSuite } from '../../../platform-runtime/src/testing/suites/invocation-transfer-suite.ts'
import { day, logOptions } from '../../../platform-runtime/src/testing/suites/logged-entry.ts'
import { openDatabase } from '../database.ts'
import { postgresEngine } from '../postgres-engine.ts'
import { testServer } from '../testing/server-suite.ts'
import { invocationEntries } from './invocation-entries.ts'

const { options } = testServer()

invocationTransferSuite('PostgreSQL', async () => {
  const chosen = options()
  const engine = await postgresEngine(chosen, { clock: undefined })
  const database = openDatabase(chosen)
  return {
    openEntries: async () => invocationEntries(database),
    openLog: () => engine.opener(invocationLogStorage)(logOptions({ size: 1e9, age: 100_000 * day })),
    async end() {
      await database.close()
      await engine.close()
    },
  }
})
