import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '../../../../platform-runtime/src/random.ts'
import { temporaryFolder } from '../../../../platform-runtime/src/testing/temporary-folder.ts'
import { moveAll } from '../../testing/move-all.ts'
import { localStore } from './local-store.ts'

/** A queue whose messages all moved to the dead-letter queue, in order, after one receive each. */
async function givenUp(ending: '' | '.fifo') {
  const clock = manualClock(1_700_000_000_000)
  const store = localStore(new DatabaseSync(':memory:'), clock, systemRandom)
  const dead = `dead${ending}`
  const orders = `orders${ending}`
  await store.createQueue(dead)
  await store.createQueue(orders, {
    visibilityTimeout: 1000,
    deadLetter: { queue: dead, maxReceiveCount: 1 },
  })
  const fifo = (body: string) => (ending === '' ? {} : { group: body[0]!, deduplicationId: body })
  await store.send(
    orders,
    ['a1', 'a2', 'b1', 'a3'].map(body => ({ body, ...fifo(body) })),
  )
  await store.receive(orders, { max: 10, wait: 0 })
  await clock.advance(1000)
  expect(await store.receive(orders, { max: 10, wait: 0 })).toEqual([])
  const bodies = async (queue: string, max = 10) =>
    (await store.receive(queue, { max, wait: 0 })).map(({ body }) => body)
  return { clock, store, dead, orders, bodies }
}

it.each(['', '.fifo'] as const)(
  'a redrive moves messages back in order, as never received (%j)',
  async ending => {
    const { store, dead, orders } = await givenUp(ending)
    expect(await moveAll(store, dead)).toBe(4)
    const back = await store.receive(orders, { max: 10, wait: 0 })
    expect(back.map(({ body }) => body)).toEqual(
      ending === '' ? ['a1', 'a2', 'b1', 'a3'] : ['a1', 'a2', 'a3', 'b1'],
    )
    expect(back.every(each => each.receiveCount === 1 && each.deadLetterSource === undefined)).toBe(true)
  },
)

it('a redrive of a standard queue leaves messages in flight', async () => {
  const { store, dead, orders, bodies } = await givenUp('')
  expect(await bodies(dead, 1)).toEqual(['a1'])
  expect(await moveAll(store, dead)).toBe(3)
  expect(await bodies(orders)).toEqual(['a2', 'b1', 'a3'])
})

it('a redrive of a FIFO queue leaves the whole group of a message in flight, in order', async () => {
  const { clock, store, dead, orders, bodies } = await givenUp('.fifo')
  expect(await bodies(dead, 1)).toEqual(['a1'])
  expect(await moveAll(store, dead)).toBe(1)
  expect(await bodies(orders)).toEqual(['b1'])
  await clock.advance(30_000)
  expect(await moveAll(store, dead)).toBe(3)
  expect((await bodies(orders)).filter(body => body.startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
})

it('a redrive keeps messages that are older than the retention period', async () => {
  const { clock, store, dead, orders, bodies } = await givenUp('')
  await store.setAttributes(orders, { retentionPeriod: 60_000 })
  await clock.advance(61_000)
  expect(await moveAll(store, dead)).toBe(4)
  expect(await bodies(orders)).toEqual(['a1', 'a2', 'b1', 'a3'])
})

it('a redrive continues after a restart', async () => {
  using folder = temporaryFolder()
  const clock = manualClock(1_700_000_000_000)
  const open = () => localStore(new DatabaseSync(join(folder.path, 'queues.sqlite')), clock, systemRandom)
  const store = open()
  await store.createQueue('dead')
  await store.createQueue('orders', { deadLetter: { queue: 'dead', maxReceiveCount: 1 } })
  for (let i = 0; i < 3; i++) await store.send('orders', Array(1000).fill({ body: 'x' }))
  await store.receive('orders', { max: 3000, wait: 0, visibilityTimeout: 0 })
  await store.receive('orders', { max: 1, wait: 0 })
  const moved = async (of: typeof store) => (await of.moves('dead'))[0]!
  const started = store.startMove('dead')
  while ((await moved(store)).moved === 0) await setImmediate()
  expect(await moved(store)).toMatchObject({ moved: 1000, toMove: 3000 })
  await store.close()
  await started
  const again = open()
  while ((await moved(again)).status === 'RUNNING') await setImmediate()
  expect(await moved(again)).toMatchObject({ status: 'COMPLETED', moved: 3000 })
  await again.close()
})
