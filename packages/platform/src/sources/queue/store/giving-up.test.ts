import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '../../../random.ts'
import { localStore } from './local-store.ts'

it('whoever waits for dead letters gets them at once, and two queues that give up to each other may both wait', async () => {
  const clock = manualClock(1_700_000_000_000)
  const store = localStore(new DatabaseSync(':memory:'), clock, systemRandom)
  await store.create('one')
  await store.create('other', { deadLetter: { queue: 'one', maxReceiveCount: 1 } })
  await store.setAttributes('one', {
    visibilityTimeout: 1000,
    deadLetter: { queue: 'other', maxReceiveCount: 1 },
  })
  const bodies = async (queue: string, wait: number) =>
    (await store.receive(queue, { max: 10, wait })).map(({ body }) => body)
  const idle = Promise.all(['one', 'other'].map(queue => bodies(queue, 500)))
  await clock.advance(500)
  expect(await idle).toEqual([[], []])

  await store.send('one', [{ body: 'poison' }])
  expect(await bodies('one', 0)).toEqual(['poison'])
  const waiting = bodies('other', 20_000)
  await clock.advance(1000)
  expect(await bodies('one', 0)).toEqual([])
  expect(await waiting).toEqual(['poison'])
})
