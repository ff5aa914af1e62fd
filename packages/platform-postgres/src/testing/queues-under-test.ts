import { setImmediate } from 'node:timers/promises'
import { manualClock } from '@signalbox/core/testing'
import type { OwnStoreUnderTest } from '@signalbox/platform-queue/testing/own-queue-suite'
import { systemRandom } from '@signalbox/platform-runtime'
import { type Database, openDatabase } from '../database.ts'
import { layOut } from '../layout/lay-out.ts'
import { notifications } from '../notifications.ts'
import { periodicWork } from '../periodic-work.ts'
import type { PostgresOptions } from '../postgres-options.ts'
import { queueStore } from '../queue/queue-store.ts'

/**
 * Opens the queues of a schema, with a clock that the test advances.
 * @param wrapped wraps the store's database, so that a test can change its behaviour
 */
export async function queuesUnderTest(
  options: PostgresOptions,
  wrapped: (database: Database) => Database = database => database,
): Promise<OwnStoreUnderTest> {
  const database = wrapped(openDatabase(options))
  await layOut(database, options.schema)
  const clock = manualClock(1_700_000_000_000)
  const notes = notifications(options, database, 'platform')
  const store = queueStore({
    database,
    notifications: notes,
    periodic: periodicWork(database),
    clock,
    given: clock.now,
    random: systemRandom,
    notice: () => {},
    platformId: 'platform',
  })
  return {
    store,
    async pass(ms) {
      await settled(database)
      await clock.advance(ms)
    },
    async end() {
      await store.close()
      await notes.close()
      await database.close()
    },
  }
}

/** Waits until a store has nothing left to do at the current time. */
async function settled({ idle }: Pick<Database, 'idle'>): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet++) {
    await idle()
    await setImmediate()
  }
}
