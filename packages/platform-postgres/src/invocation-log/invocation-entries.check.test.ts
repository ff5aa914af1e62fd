import { invocationLogStorage } from '@signalbox/platform-runtime/invocation-log'
import { invocationTransferSuite } from '@signalbox/platform-runtime/invocation-log/testing/invocation-transfer-suite'
import { day, logOptions } from '@signalbox/platform-runtime/invocation-log/testing/logged-entry'
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
