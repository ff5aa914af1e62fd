import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { OwnQueueStore } from '../store/own-queue-store.ts'
import { moveAll } from './move-all.ts'
import type { StoreUnderTest } from './queue-engines.ts'

/** A store of the platform's own queues under test, and its clock. */
export interface OwnStoreUnderTest extends StoreUnderTest {
  readonly store: OwnQueueStore
}

/** The shared tests of operations that only the platform's own queues support. */
export function ownQueueSuite(name: string, make: () => Promise<OwnStoreUnderTest>): void {
  describe(`queues in ${name}`, () => {
    let test: OwnStoreUnderTest
    beforeEach(async () => {
      test = await make()
    })
    afterEach(() => test.end())

    /**
     * Makes a queue whose messages have all moved to the dead-letter queue in order, each after one receive request.
     */
    async function givenUp(ending: '' | '.fifo') {
      const { store, pass } = test
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
      await pass(1000)
      expect(await store.receive(orders, { max: 10, wait: 0 })).toEqual([])
      const bodies = async (queue: string, max = 10) =>
        (await store.receive(queue, { max, wait: 0 })).map(({ body }) => body)
      return { pass, store, dead, orders, bodies }
    }

    it.each([
      ['a standard queue', ''],
      ['a FIFO queue', '.fifo'],
    ] as const)(
      'a redrive moves messages of %s back in order, with their receive counts reset',
      async (_kind, ending) => {
        const { store, dead, orders } = await givenUp(ending)
        expect(await moveAll(store, dead)).toBe(4)
        const back = await store.receive(orders, { max: 10, wait: 0 })
        expect(back.map(({ body }) => body)).toEqual(
          ending === '' ? ['a1', 'a2', 'b1', 'a3'] : ['a1', 'a2', 'a3', 'b1'],
        )
        expect(back.every(each => each.receiveCount === 1 && each.deadLetterSource === undefined)).toBe(true)
      },
    )

    it.each([
      ['standard', ''],
      ['FIFO', '.fifo'],
    ] as const)(
      'a receive from a %s queue returns the requested number of messages, even if older ones become dead letters',
      async (_kind, ending) => {
        const { store } = test
        const [dead, orders] = [`dead${ending}`, `orders${ending}`]
        const send = (body: string) => {
          const fifo = ending === '' ? {} : { group: body, deduplicationId: body }
          return store.send(orders, [{ body, ...fifo }])
        }
        await store.createQueue(dead)
        await store.createQueue(orders, {
          visibilityTimeout: 0,
          deadLetter: { queue: dead, maxReceiveCount: 1 },
        })
        await send('first')
        await store.receive(orders, { max: 1, wait: 0 })
        await send('second')
        await send('third')
        const received = await store.receive(orders, { max: 2, wait: 0 })
        expect(received.map(({ body }) => body)).toEqual(['second', 'third'])
      },
    )

    it('an expired duplicate in another FIFO group does not block new messages', async () => {
      const { store, pass } = test
      await store.createQueue('orders.fifo', { retentionPeriod: 60_000 })
      await store.send('orders.fifo', [
        { body: '1', group: 'a', deduplicationId: '1' },
        { body: '1', group: 'b', deduplicationId: '1' },
      ])
      await pass(60_000)
      await store.send('orders.fifo', [{ body: '2', group: 'a', deduplicationId: '2' }])
      expect(await store.receive('orders.fifo', { max: 1, wait: 0 })).toMatchObject([{ body: '2' }])
    })

    it('a redrive of a standard queue does not move messages in flight', async () => {
      const { store, dead, orders, bodies } = await givenUp('')
      expect(await bodies(dead, 1)).toEqual(['a1'])
      expect(await moveAll(store, dead)).toBe(3)
      expect(await bodies(orders)).toEqual(['a2', 'b1', 'a3'])
    })

    it('a redrive of a FIFO queue does not move groups that have a message in flight', async () => {
      const { pass, store, dead, orders, bodies } = await givenUp('.fifo')
      expect(await bodies(dead, 1)).toEqual(['a1'])
      expect(await moveAll(store, dead)).toBe(1)
      expect(await bodies(orders)).toEqual(['b1'])
      await pass(30_000)
      expect(await moveAll(store, dead)).toBe(3)
      expect((await bodies(orders)).filter(body => body.startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
    })

    it('a redrive keeps messages that are older than the retention period', async () => {
      const { pass, store, dead, orders, bodies } = await givenUp('')
      await store.setAttributes(orders, { retentionPeriod: 60_000 })
      await pass(61_000)
      expect(await moveAll(store, dead)).toBe(4)
      expect(await bodies(orders)).toEqual(['a1', 'a2', 'b1', 'a3'])
    })

    it.each([
      ['a standard queue', ''],
      ['a FIFO queue', '.fifo'],
    ] as const)(
      'discard() deletes a message of %s only while the message is visible',
      async (_kind, ending) => {
        const { store, dead, bodies } = await givenUp(ending)
        const [first, second] = (await store.peek(dead, 2))!
        expect(await store.discard(`orders${ending}`, first!.position)).toBe(false)
        expect(await store.discard(dead, first!.position)).toBe(true)
        expect(await store.discard(dead, first!.position)).toBe(false)
        expect((await bodies(dead)).sort()).toEqual(['a2', 'a3', 'b1'])
        expect(await store.discard(dead, second!.position)).toBe(false)
        await expect(store.discard(`nothing${ending}`, 1)).rejects.toThrow('queue')
      },
    )

    it('peek() returns the oldest messages without changing them, and reports() counts them', async () => {
      const { store, pass } = test
      await store.createQueue('dead')
      await store.createQueue('orders', { deadLetter: { queue: 'dead', maxReceiveCount: 1 } })
      await store.send('orders', [{ body: 'a', group: 'g' }, { body: 'b' }, { body: 'c', delay: 5000 }])
      const [sent] = (await store.peek('orders', 1))!
      expect(sent).toMatchObject({ body: 'a', group: 'g', receiveCount: 0 })
      expect(sent!.deadLetterSource).toBeUndefined()
      await store.receive('orders', { max: 1, wait: 0, visibilityTimeout: 1000 })
      await pass(1000)
      await store.receive('orders', { max: 10, wait: 0, visibilityTimeout: 1000 })
      expect(await store.peek('dead', 10)).toMatchObject([
        { body: 'a', receiveCount: 1, deadLetterSource: 'orders' },
      ])
      expect(await store.peek('nothing', 10)).toBeUndefined()
      expect(await store.reports()).toEqual([
        { name: 'dead', visible: 1, inFlight: 0, delayed: 0, oldestAge: 1000, deadLetters: undefined },
        { name: 'orders', visible: 0, inFlight: 1, delayed: 1, oldestAge: 1000, deadLetters: 1 },
      ])
    })

    it('queues keep tags, and sourcesOf() lists the queues that use a dead-letter queue', async () => {
      const { store } = test
      await store.createQueue('dead', {}, { team: 'a' })
      await store.createQueue('orders', { deadLetter: { queue: 'dead', maxReceiveCount: 1 } })
      expect(await store.tags('dead')).toEqual({ team: 'a' })
      await store.setTags('dead', { team: 'b' })
      expect(await store.tags('dead')).toEqual({ team: 'b' })
      expect(await store.sourcesOf('dead')).toEqual(['orders'])
    })

    it('createQueue() refuses a queue that exists with other tags, which kept its own', async () => {
      const { store } = test
      await store.createQueue('orders', {}, { team: 'a' })
      await store.createQueue('orders', {}, { team: 'a' })
      await store.createQueue('orders')
      for (const tags of [{ team: 'b' }, { team: 'a', more: '1' }, { toString: 'a' }])
        await expect(store.createQueue('orders', {}, tags as never)).rejects.toMatchObject({
          code: 'QUEUE_EXISTS',
          message: 'A queue already exists with the same name and different tags',
        })
      await store.createQueue('plain')
      await expect(store.createQueue('plain', {}, { team: 'a' })).rejects.toMatchObject({
        code: 'QUEUE_EXISTS',
      })
      expect([await store.tags('orders'), await store.tags('plain')]).toEqual([{ team: 'a' }, {}])
    })
  })
}
