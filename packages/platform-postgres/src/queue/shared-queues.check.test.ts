import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { systemClock } from '@signalbox/core'
import type { OwnQueueStore } from '@signalbox/platform-queue/store'
import { systemRandom } from '@signalbox/platform-runtime'
import pg from 'pg'
import { openDatabase } from '../database.ts'
import { layOut } from '../layout/lay-out.ts'
import { notifications } from '../notifications.ts'
import { periodicWork } from '../periodic-work.ts'
import { testServer } from '../testing/server-suite.ts'
import { queueStore } from './queue-store.ts'

const test = testServer()

/**
 * Opens the queue stores of several platforms on one schema. The clock of the database decides.
 * @param areNotified whether the platforms get notifications, or all of these are lost
 */
async function stores(count: number, { areNotified = true } = {}) {
  const chosen = test.options()
  const opened = await Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const platformId = `platform-${number}`
      const database = openDatabase(chosen)
      await layOut(database, chosen.schema)
      // A platform ignores notifications that have its own id.
      const shared = notifications(chosen, database, areNotified ? platformId : 'platform')
      const store = queueStore({
        ...{ database, notifications: shared, platformId, periodic: periodicWork(database) },
        ...{ clock: systemClock, given: () => null, random: systemRandom, notice: () => {} },
      })
      const end = async () => {
        await store.close()
        await shared.close()
        await database.close()
      }
      return { store, end }
    }),
  )
  return {
    all: opened.map(({ store }) => store),
    schema: chosen.schema,
    end: async () => {
      await Promise.all(opened.map(each => each.end()))
    },
  }
}

/** Receives messages, adds their bodies to `handled` and deletes them, until `isOver` returns true. */
async function drain(store: OwnQueueStore, handled: string[], isOver: () => boolean) {
  while (!isOver()) {
    const messages = await store.receive('orders.fifo', { max: 10, wait: 200 })
    handled.push(...messages.map(({ body }) => body))
    if (messages.length > 0)
      await store.deleteMessages(
        'orders.fifo',
        messages.map(({ receiptHandle }) => receiptHandle),
      )
  }
}

it('several platforms that share a queue keep the order of each group, and deliver each message only once', async () => {
  const { all, end } = await stores(3)
  await all[0]!.createQueue('orders.fifo')
  const groups = ['a', 'b', 'c']
  const count = 100
  const handled: string[] = []
  const isOver = () => handled.length >= groups.length * count
  const receivers = [...all, ...all].map(store => drain(store, handled, isOver))
  // The platforms take turns with the messages of each group. Each message is sent twice at the same time, to
  // different platforms.
  await Promise.all(
    groups.map(async group => {
      for (let number = 0; number < count; number++) {
        const message = { body: `${group}${number}`, group, deduplicationId: `${group}${number}` }
        await Promise.all([0, 1].map(more => all[(number + more) % 3]!.send('orders.fifo', [message])))
      }
    }),
  )
  await Promise.all(receivers)
  for (const group of groups)
    expect(handled.filter(body => body.startsWith(group))).toEqual(
      Array.from({ length: count }, (_, number) => `${group}${number}`),
    )
  await end()
})

it('a sent message immediately wakes a receive request that waits on another platform', async () => {
  const { all, end } = await stores(2)
  await all[0]!.createQueue('orders')
  const waiting = all[1]!.receive('orders', { max: 1, wait: 20_000 })
  await delay(50)
  await all[0]!.send('orders', [{ body: 'x' }])
  expect(await waiting).toMatchObject([{ body: 'x' }])
  await end()
})

it('a message that becomes visible earlier wakes another platform, and one that stays hidden for longer does not', async () => {
  const { all, end, schema } = await stores(2)
  const [holder, other] = all as [OwnQueueStore, OwnQueueStore]
  const heard = new pg.Client({ connectionString: test.server.url })
  await heard.connect()
  await heard.query(`listen "signalbox ${schema}"`)
  const topics: string[] = []
  heard.on('notification', ({ payload = '' }) => topics.push(...payload.split(' ').slice(1)))
  const untilHeard = async (topic: string) => {
    while (!topics.includes(topic)) await delay(5)
  }
  await holder.createQueue('orders')
  await holder.createQueue('marks')
  await holder.send('orders', [{ body: 'x' }])
  await untilHeard('queue:orders')
  const [held] = await holder.receive('orders', { max: 1, wait: 0, visibilityTimeout: 20_000 })
  const { receiptHandle } = held!
  topics.length = 0
  await holder.changeVisibility('orders', [{ receiptHandle, timeout: 30_000 }])
  await holder.send('marks', [{ body: 'after the change' }])
  await untilHeard('queue:marks')
  expect(topics).toEqual(['queue:marks'])
  const waiting = other.receive('orders', { max: 1, wait: 20_000 })
  await delay(50)
  await holder.changeVisibility('orders', [{ receiptHandle, timeout: 0 }])
  expect(await waiting).toMatchObject([{ body: 'x' }])
  await heard.end()
  await end()
})

it('after the visibility timeout, a platform cannot change a message with its old receipt handle', async () => {
  const { all, end } = await stores(2)
  const [slept, other] = all as [OwnQueueStore, OwnQueueStore]
  await slept.createQueue('orders.fifo')
  await slept.send('orders.fifo', [{ body: 'x', group: 'g', deduplicationId: '1' }])
  const [old] = await slept.receive('orders.fifo', { max: 1, wait: 0, visibilityTimeout: 0 })
  const [taken] = await other.receive('orders.fifo', { max: 1, wait: 0 })
  expect(taken).toMatchObject({ body: 'x', receiveCount: 2 })
  expect(await slept.deleteMessages('orders.fifo', [old!.receiptHandle])).toMatchObject([
    { code: 'RECEIPT_HANDLE_EXPIRED' },
  ])
  const change = { receiptHandle: old!.receiptHandle, timeout: 0 }
  expect(await slept.changeVisibility('orders.fifo', [change])).toMatchObject([{ code: 'INVALID_PARAMETER' }])
  expect(await other.deleteMessages('orders.fifo', [taken!.receiptHandle])).toEqual([undefined])
  await end()
})

it('a platform sends to a queue that another one has just deleted and created again', async () => {
  const { all, end } = await stores(2, { areNotified: false })
  for (const [name, message] of [
    ['orders', { body: 'x' }],
    ['orders.fifo', { body: 'x', group: 'g', deduplicationId: '1' }],
  ] as const) {
    await all[0]!.createQueue(name)
    await all[1]!.send(name, [message])
    await all[0]!.deleteQueue(name)
    await all[0]!.createQueue(name)
    expect(await all[1]!.send(name, [message])).toMatchObject([{ messageId: expect.any(String) }])
    expect(await all[0]!.receive(name, { max: 10, wait: 0 })).toMatchObject([{ body: 'x' }])
    await all[0]!.deleteQueue(name)
    await expect(all[1]!.send(name, [message])).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' })
  }
  await end()
})

it('a dead letter is kept when another platform has just deleted its dead-letter queue, or created it again', async () => {
  const { all, end } = await stores(2, { areNotified: false })
  const [one, other] = all as [OwnQueueStore, OwnQueueStore]
  for (const [name, message] of [
    ['', { body: 'x' }],
    ['.fifo', { body: 'x', group: 'g', deduplicationId: '1' }],
  ] as const) {
    await one.createQueue(`dead${name}`)
    await one.createQueue(`orders${name}`, { deadLetter: { queue: `dead${name}`, maxReceiveCount: 1 } })
    await other.send(`orders${name}`, [message])
    const receive = () => other.receive(`orders${name}`, { max: 1, wait: 0, visibilityTimeout: 0 })
    expect(await receive()).toMatchObject([{ body: 'x' }])
    await one.deleteQueue(`dead${name}`)
    expect(await receive()).toMatchObject([{ body: 'x', receiveCount: 2 }])
    await one.createQueue(`dead${name}`)
    expect(await receive()).toEqual([])
    expect(await one.receive(`dead${name}`, { max: 1, wait: 0 })).toMatchObject([{ body: 'x' }])
  }
  await end()
})

it('queue requests fail with UNAVAILABLE while the PostgreSQL server is down, and succeed afterwards', async () => {
  const { all, end } = await stores(2)
  await all[0]!.createQueue('orders')
  await test.server.kill()
  const refused = { code: 'UNAVAILABLE' }
  await expect(all[0]!.send('orders', [{ body: 'x' }])).rejects.toMatchObject(refused)
  await expect(all[1]!.receive('orders', { max: 1, wait: 0 })).rejects.toMatchObject(refused)
  await expect(all[1]!.depth('orders')).rejects.toMatchObject(refused)
  await test.server.start()
  const waiting = all[1]!.receive('orders', { max: 1, wait: 5000 })
  await all[0]!.send('orders', [{ body: 'y' }])
  expect(await waiting).toMatchObject([{ body: 'y' }])
  await end()
})
