import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { fifoQueueSuite } from '../../../platform-queue/src/testing/fifo-queue-suite.ts'
import { fuzzQueueModel } from '../../../platform-queue/src/testing/fuzz-queue-model.ts'
import { type OwnStoreUnderTest, ownQueueSuite } from '../../../platform-queue/src/testing/own-queue-suite.ts'
import { standardQueueSuite } from '../../../platform-queue/src/testing/standard-queue-suite.ts'
import { systemRandom } from '../../../platform-runtime/src/random.ts'
import { type Database, openDatabase } from '../database.ts'
import { layOut } from '../layout/lay-out.ts'
import { notifications } from '../notifications.ts'
import { periodicWork } from '../periodic-work.ts'
import { settled, testServer } from '../testing/server-suite.ts'
import { queueStore } from './queue-store.ts'

const { options } = testServer()

async function make(
  wrapped: (database: Database) => Database = database => database,
): Promise<OwnStoreUnderTest> {
  const chosen = options()
  const database = wrapped(openDatabase(chosen))
  await layOut(database, chosen.schema)
  const clock = manualClock(1_700_000_000_000)
  const notes = notifications(chosen, database, 'platform')
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

standardQueueSuite({ name: 'PostgreSQL', make: () => make() })
fifoQueueSuite({ name: 'PostgreSQL', make: () => make() })
ownQueueSuite('PostgreSQL', () => make())

it('a queue store of PostgreSQL behaves like the model for any sequence of operations', async () => {
  await fuzzQueueModel(() => make(), 10, Date.now() % 2 ** 31)
})

it('a receive gets a message that is sent between its first read and its wait', async () => {
  let beforeWait: (() => Promise<unknown>) | undefined
  const { store, end } = await make(database => ({
    ...database,
    async query(text, values) {
      const send = text.startsWith('select min(visible_at)') ? beforeWait : undefined
      beforeWait = send === undefined ? beforeWait : undefined
      await send?.()
      return database.query(text, values)
    },
  }))
  await store.createQueue('orders')
  beforeWait = () => store.send('orders', [{ body: 'x' }])
  expect(await store.receive('orders', { max: 1, wait: 20_000 })).toMatchObject([{ body: 'x' }])
  await end()
})
