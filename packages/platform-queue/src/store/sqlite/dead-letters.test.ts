import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '@signalbox/platform-runtime'
import { moveAll } from '../../testing/move-all.ts'
import { localStore } from './local-store.ts'

it('a waiting receive request gets dead letters at once, even if two queues are each other’s dead-letter queue', async () => {
  const clock = manualClock(1_700_000_000_000)
  const store = localStore(new DatabaseSync(':memory:'), clock, systemRandom)
  await store.createQueue('one')
  await store.createQueue('other', { deadLetter: { queue: 'one', maxReceiveCount: 1 } })
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

it.each([
  ['a standard queue', 'one', 'dead'],
  ['a FIFO queue', 'one.fifo', 'dead.fifo'],
])(
  'dead letters of %s move a thousand at a time, so that other requests are not delayed',
  async (_kind, queue, dead) => {
    const clock = manualClock(1_700_000_000_000)
    const store = localStore(new DatabaseSync(':memory:'), clock, systemRandom)
    await store.createQueue(dead)
    await store.createQueue(queue, {
      visibilityTimeout: 1000,
      deadLetter: { queue: dead, maxReceiveCount: 1 },
    })
    const count = 2500
    const messages = Array.from({ length: count }, (_, at) => ({
      body: `${at}`,
      ...(queue === 'one' ? {} : { group: `${at % 7}`, deduplicationId: `${at}` }),
    }))
    await store.send(queue, messages)
    const receive = (from: string) => store.receive(from, { max: 10_000, wait: 0 })
    expect(await receive(queue)).toHaveLength(count)
    await clock.advance(1000)
    const depths = async (work: Promise<unknown>) => {
      const seen = new Set([(await store.depth(dead)).visible])
      let over = false
      void work.then(() => {
        over = true
      })
      while (!over) {
        await new Promise(setImmediate)
        seen.add((await store.depth(dead)).visible)
      }
      return [...seen]
    }
    const last = { body: 'last', ...(queue === 'one' ? {} : { group: 'z', deduplicationId: 'last' }) }
    await store.send(queue, [last])
    const found = receive(queue)
    expect(await depths(found)).toEqual([1000, 2000, 2500])
    expect((await found).map(({ body }) => body)).toEqual(['last'])
    const back = moveAll(store, dead)
    expect(await depths(back)).toEqual([2500, 1500, 500, 0])
    expect(await back).toBe(count)
    const bodies = (await receive(queue)).map(({ body }) => Number(body))
    const first = bodies.filter(body => body % 7 === 0)
    expect(bodies).toHaveLength(count)
    expect(first).toEqual(first.toSorted((a, b) => a - b))
    await store.close()
  },
)
