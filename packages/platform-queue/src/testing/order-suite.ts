import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { QueueAttributes } from '../store/queue-attributes.ts'
import type { NewMessage } from '../store/queue-store.ts'
import { moveAll } from './move-all.ts'
import type { OwnStoreUnderTest } from './own-queue-suite.ts'

/** The shared tests of the order in which the platform's own standard queues deliver messages. */
export function orderSuite(name: string, make: () => Promise<OwnStoreUnderTest>): void {
  describe(`the order of a standard queue in ${name}`, () => {
    let test: OwnStoreUnderTest
    let number = 0
    beforeEach(async () => {
      test = await make()
    })
    afterEach(() => test.end())

    const create = async (attributes: Partial<QueueAttributes> = {}) => {
      const queue = `orders-${number++}`
      await test.store.createQueue(queue, attributes)
      return queue
    }
    const send = async (queue: string, ...messages: NewMessage[]) => {
      const answers = await test.store.send(queue, messages)
      expect(answers.filter(answer => answer instanceof Error)).toEqual([])
    }
    const receive = (queue: string, max = 10) => test.store.receive(queue, { max, wait: 0 })
    const bodies = async (queue: string, max = 10) => (await receive(queue, max)).map(({ body }) => body)
    /** Messages of a group: its name and a number. */
    const messages = (group: string, count: number): NewMessage[] =>
      Array.from({ length: count }, (_, at) => ({ body: `${group}${at + 1}`, group }))

    it('a message whose visibility timeout has ended is delivered before later ones', async () => {
      const queue = await create({ visibilityTimeout: 3000 })
      await send(queue, { body: '1' })
      expect(await bodies(queue)).toEqual(['1'])
      await test.pass(1500)
      await send(queue, { body: '2' }, { body: '3' })
      await test.pass(1600)
      expect(await bodies(queue, 1)).toEqual(['1'])
      expect(await bodies(queue)).toEqual(['2', '3'])
    })

    it('messages that were made visible keep their places', async () => {
      const queue = await create()
      await send(queue, { body: '1' }, { body: '2' })
      await test.pass(10)
      await send(queue, { body: '3' })
      const received = await receive(queue, 2)
      await test.pass(10)
      for (const { receiptHandle } of received.toReversed())
        await test.store.changeVisibility(queue, [{ receiptHandle, timeout: 0 }])
      await send(queue, { body: '4' })
      expect(await bodies(queue)).toEqual(['1', '2', '3', '4'])
    })

    it('a delayed message comes after those that were visible before', async () => {
      const queue = await create()
      await send(queue, { body: 'later', delay: 1000 }, { body: '1' })
      await test.pass(500)
      await send(queue, { body: '2' })
      await test.pass(600)
      await send(queue, { body: '3' })
      expect(await bodies(queue)).toEqual(['1', '2', 'later', '3'])
    })

    it('a group whose messages were just sent goes before the backlog of another', async () => {
      const queue = await create()
      await send(queue, ...messages('noisy', 40))
      await test.pass(10)
      expect(await bodies(queue)).toHaveLength(10)
      await send(queue, ...messages('quiet', 2), { body: 'alone' })
      expect(await bodies(queue, 3)).toEqual(['quiet1', 'alone', 'quiet2'])
      await send(queue, ...messages('new', 1))
      expect(await bodies(queue, 1)).toEqual(['new1'])
    })

    it('groups with many messages take turns, whether they were sent one by one or as batches', async () => {
      const queue = await create()
      await send(queue, ...messages('a', 3))
      for (const message of messages('b', 3)) await send(queue, message)
      await send(queue, { body: 'alone' })
      expect(await bodies(queue)).toEqual(['a1', 'b1', 'alone', 'a2', 'b2', 'a3', 'b3'])
    })

    it('a group that always has a few waiting messages does not wait for the backlog of a new group', async () => {
      const queue = await create({ visibilityTimeout: 600_000 })
      await send(queue, ...messages('steady', 2))
      for (let at = 0; at < 50; at++) {
        await send(queue, ...messages('steady', 1))
        await test.pass(100)
        await receive(queue, 1)
      }
      await send(queue, ...messages('noisy', 20), { body: 'last', group: 'steady' })
      const order = [...(await bodies(queue)), ...(await bodies(queue)), ...(await bodies(queue))]
      expect(order).toHaveLength(23)
      expect(order.indexOf('last')).toBeLessThan(8)
    })

    it('a message of a backlog that comes back from flight keeps its place', async () => {
      const queue = await create({ visibilityTimeout: 1000 })
      await send(queue, ...messages('noisy', 12))
      await receive(queue)
      await test.pass(1100)
      await send(queue, ...messages('quiet', 1))
      expect(await bodies(queue, 3)).toEqual(['noisy1', 'quiet1', 'noisy2'])
    })

    it('delayed messages and dead letters of a group take turns with others, too', async () => {
      const dead = await create()
      const queue = await create({ visibilityTimeout: 1000, deadLetter: { queue: dead, maxReceiveCount: 1 } })
      const noisy = messages('noisy', 5)
      await send(queue, ...noisy.map(message => ({ ...message, delay: 1000 })), ...messages('quiet', 1))
      expect(await bodies(queue)).toEqual(['quiet1'])
      await test.pass(1100)
      await send(queue, { body: 'quiet2', group: 'quiet' })
      expect(await bodies(queue, 2)).toEqual(['noisy1', 'quiet2'])
      expect(await bodies(queue)).toHaveLength(4)
      await test.pass(1100)
      expect(await bodies(queue)).toEqual([])
      expect(await bodies(dead)).toHaveLength(7)
      await test.pass(30_100)
      expect(await moveAll(test.store, dead)).toBe(7)
      await send(queue, ...messages('new', 1))
      const order = await bodies(queue)
      expect(order.indexOf('new1')).toBeLessThan(3)
      expect(order).toHaveLength(8)
    })

    it('in any queue, a group without waiting messages waits for at most one message of each other group', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({ group: fc.integer({ min: 1, max: 5 }), count: fc.integer({ min: 1, max: 12 }) }),
            {
              maxLength: 6,
            },
          ),
          fc.integer({ min: 1, max: 10 }),
          fc.nat({ max: 20 }),
          async (batches, max, receivedBefore) => {
            const queue = await create()
            for (const { group, count } of batches) await send(queue, ...messages(`group-${group}-`, count))
            for (let at = 0; at < receivedBefore; at++) await receive(queue, 1)
            await send(queue, ...messages('quiet', 1))
            const before: string[] = []
            for (;;) {
              const got = await bodies(queue, max)
              const at = got.indexOf('quiet1')
              before.push(...got.slice(0, at === -1 ? got.length : at))
              if (at !== -1) break
            }
            const groups = before.map(body => body.replace(/-\d+$/, ''))
            expect(new Set(groups).size).toBe(groups.length)
          },
        ),
        { numRuns: 20 },
      )
    })
  })
}
