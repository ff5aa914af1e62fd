import { expect, it } from '@jest/globals'
import { fifoQueueSuite } from '../../../platform-queue/src/testing/fifo-queue-suite.ts'
import { fuzzQueueModel } from '../../../platform-queue/src/testing/fuzz-queue-model.ts'
import { ownQueueSuite } from '../../../platform-queue/src/testing/own-queue-suite.ts'
import { standardQueueSuite } from '../../../platform-queue/src/testing/standard-queue-suite.ts'
import { queuesUnderTest } from '../testing/queues-under-test.ts'
import { testServer } from '../testing/server-suite.ts'

const { options } = testServer()

standardQueueSuite({ name: 'PostgreSQL', make: () => queuesUnderTest(options()) })
fifoQueueSuite({ name: 'PostgreSQL', make: () => queuesUnderTest(options()) })
ownQueueSuite('PostgreSQL', () => queuesUnderTest(options()))

it('a PostgreSQL queue store behaves like the reference model for any sequence of operations', async () => {
  await fuzzQueueModel(() => queuesUnderTest(options()), 10, Date.now() % 2 ** 31)
})

it('a long poll gets a message that is sent between its first read and the start of its wait', async () => {
  let beforeWait: (() => Promise<unknown>) | undefined
  const { store, end } = await queuesUnderTest(options(), database => ({
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
