import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '../../../random.ts'
import { localStore } from './local-store.ts'

it('takes times of a clock that counts fractions', async () => {
  const clock = manualClock(1_700_000_000_000.25)
  const store = localStore(new DatabaseSync(':memory:'), clock, systemRandom)
  await store.create('orders', { visibilityTimeout: 1000 })
  await store.send('orders', [{ body: 'x' }])
  const [first] = await store.receive('orders', { max: 1, wait: 0 })
  expect(first!.sentAt).toBe(1_700_000_000_000)
  const again = store.receive('orders', { max: 1, wait: 20_000 })
  await clock.advance(1000)
  expect(await again).toMatchObject([{ receiveCount: 2, firstReceivedAt: first!.firstReceivedAt }])
  await store.close()
})
