import { expect, it } from '@jest/globals'
import { fifoQueueSuite } from '@signalbox/platform-queue/testing/fifo-queue-suite'
import { fuzzQueueModel } from '@signalbox/platform-queue/testing/fuzz-queue-model'
import { orderSuite } from '@signalbox/platform-queue/testing/order-suite'
import { ownQueueSuite } from '@signalbox/platform-queue/testing/own-queue-suite'
import { standardQueueSuite } from '@signalbox/platform-queue/testing/standard-queue-suite'
import fc from 'fast-check'
import { queuesUnderTest } from '../testing/queues-under-test.ts'
import { testServer } from '../testing/server-suite.ts'

const { options } = testServer()

standardQueueSuite({ name: 'PostgreSQL', make: () => queuesUnderTest(options()) })
fifoQueueSuite({ name: 'PostgreSQL', make: () => queuesUnderTest(options()) })
ownQueueSuite('PostgreSQL', () => queuesUnderTest(options()))
orderSuite('PostgreSQL', () => queuesUnderTest(options()))

it('a PostgreSQL queue store behaves like the reference model for any sequence of operations', async () => {
  await fuzzQueueModel(() => queuesUnderTest(options()), 10, fc.readConfigureGlobal().seed!)
})

it('a long poll gets a message that is sent between its first read and the start of its wait', async () => {
  let beforeWait: (() => Promise<unknown>) | undefined
  const { store, end } = await queuesUnderTest(options(), database => ({
    ...database,
    async query(text, values) {
      const send = text.includes('as due from messages') ? beforeWait : undefined
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
