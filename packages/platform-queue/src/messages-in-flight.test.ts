import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '@signalbox/platform-runtime'
import { queueListener } from './api/listener.ts'
import { localStore } from './store/sqlite/local-store.ts'
import { queryClient, sqsClient } from './testing/queue-engines.ts'

it.each([
  ['a standard queue', 'orders', 120_000],
  ['a FIFO queue', 'orders.fifo', 20_000],
])(
  '%s with the name "%s" has at most %i messages in flight',
  async (_kind, queue, limit) => {
    const store = localStore(new DatabaseSync(':memory:'), manualClock(1_700_000_000_000), systemRandom)
    await store.createQueue(queue)
    const fifo = (at: number) => (queue === 'orders' ? {} : { group: `${at}`, deduplicationId: `${at}` })
    for (let sent = 0; sent <= limit; sent += 10_000) {
      const part = Array.from({ length: Math.min(10_000, limit + 1 - sent) })
      await store.send(
        queue,
        part.map((_, at) => ({ body: 'x', ...fifo(sent + at) })),
      )
    }
    const receive = (max: number, wait = 0) => store.receive(queue, { max, wait })
    const first = await receive(limit - 1)
    expect(first).toHaveLength(limit - 1)
    expect(await receive(10)).toHaveLength(1)
    if (queue === 'orders') await expect(receive(10)).rejects.toMatchObject({ code: 'OVER_LIMIT' })
    else expect(await receive(10)).toEqual([])
    const listener = queueListener({ host: '127.0.0.1', port: 0 }, store, systemRandom)
    const url = await listener.start()
    for (const client of [sqsClient(url), queryClient(url)]) {
      const answer = await client
        .receiveMessage({ QueueUrl: `${url}/000000000000/${queue}` })
        .catch(error => error)
      if (queue === 'orders')
        expect(answer).toMatchObject({ name: 'OverLimit', $metadata: { httpStatusCode: 403 } })
      else expect([answer.$metadata.httpStatusCode, answer.Messages ?? []]).toEqual([200, []])
      client.destroy()
    }
    await listener.stop()
    const stop = new AbortController()
    const waiting = store.receive(queue, { max: 1, wait: 20_000, signal: stop.signal })
    stop.abort()
    expect(await waiting).toEqual([])
    await store.deleteMessages(queue, [first[0]!.receiptHandle])
    expect(await receive(10)).toHaveLength(1)
    await store.close()
  },
  60_000,
)
