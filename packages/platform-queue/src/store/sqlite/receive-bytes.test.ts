import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '@signalbox/platform-runtime'
import { localStore } from './local-store.ts'

it.each([
  ['a standard queue', 'orders', ['aaaa', 'b', 'cc', 'dddd'], [['aaaa'], ['b', 'cc'], ['dddd']]],
  // After a receive request from one group, messages of other groups come first.
  ['a FIFO queue', 'orders.fifo', ['a1xx', 'a2', 'b1', 'a3xx'], [['a1xx'], ['b1'], ['a2', 'a3xx']]],
])(
  '%s delivers at most the requested number of bytes, but at least one message',
  async (_kind, queue, all, parts) => {
    const store = localStore(new DatabaseSync(':memory:'), manualClock(), systemRandom)
    await store.createQueue(queue)
    const fifo = (body: string) => (queue === 'orders' ? {} : { group: body[0]!, deduplicationId: body })
    await store.send(
      queue,
      all.map(body => ({ body, ...fifo(body) })),
    )
    const receive = async (bytes: number) => {
      const got = await store.receive(queue, { max: 10, bytes, wait: 0 })
      const receiptHandles = got.map(({ receiptHandle }) => receiptHandle)
      await store.deleteMessages(queue, receiptHandles)
      return got.map(({ body }) => body)
    }
    expect([await receive(1), await receive(3), await receive(100)]).toEqual(parts)
    await store.close()
  },
)
