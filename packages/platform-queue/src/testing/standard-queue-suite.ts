import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { QueueAttributes } from '../store/queue-attributes.ts'
import type { NewMessage, ReceiveOptions, SentMessage } from '../store/queue-store.ts'
import type { QueueEngine, StoreUnderTest } from './queue-engines.ts'

/** The shared tests of standard queues, which every queue store must pass. */
export function standardQueueSuite({ name, make }: QueueEngine): void {
  describe(`a standard queue in ${name}`, () => {
    let test: StoreUnderTest
    let queue: string
    let number = 0
    beforeEach(async () => {
      test = await make()
      // Each test uses its own queue name, because an engine might keep the queues of earlier tests.
      queue = `suite-${Date.now().toString(36)}-${number++}`
    })
    afterEach(() => test.end())

    const create = async (attributes: Partial<QueueAttributes> = {}, name = queue) => {
      await test.store.createQueue(name, attributes)
      return name
    }
    const send = async (name: string, ...messages: (string | NewMessage)[]) => {
      const list = messages.map(message => (typeof message === 'string' ? { body: message } : message))
      return (await test.store.send(name, list)) as readonly SentMessage[]
    }
    const receive = (name: string, options: Partial<ReceiveOptions> = {}) =>
      test.store.receive(name, { max: 10, wait: 0, ...options })
    const bodies = async (name: string, options: Partial<ReceiveOptions> = {}) =>
      (await receive(name, options)).map(({ body }) => body)

    it('can be created again with the same attributes', async () => {
      await create({ visibilityTimeout: 7000 })
      await create({ visibilityTimeout: 7000 })
      await expect(create({ visibilityTimeout: 8000 })).rejects.toMatchObject({ code: 'QUEUE_EXISTS' })
      expect(await test.store.queueNames()).toContain(queue)
      expect(await test.store.attributes(queue)).toMatchObject({ visibilityTimeout: 7000, delay: 0 })
      await test.store.setAttributes(queue, { visibilityTimeout: 9000 })
      expect((await test.store.attributes(queue)).visibilityTimeout).toBe(9000)
      await test.store.deleteQueue(queue)
      expect(await test.store.queueNames()).not.toContain(queue)
    })

    it('makes operations fail with QUEUE_NOT_FOUND if it does not exist', async () => {
      const missing = { code: 'QUEUE_NOT_FOUND' }
      await expect(receive(queue)).rejects.toMatchObject(missing)
      await expect(send(queue, 'x')).rejects.toMatchObject(missing)
      await expect(test.store.purge(queue)).rejects.toMatchObject(missing)
      await expect(test.store.deleteQueue(queue)).rejects.toMatchObject(missing)
      await expect(test.store.attributes(queue)).rejects.toMatchObject(missing)
    })

    it('delivers a message with all its fields', async () => {
      await create()
      const body = '{"ä": "€ \\n"}'
      const attributes = {
        kind: { dataType: 'String', stringValue: 'größer' },
        count: { dataType: 'Number', stringValue: '12' },
        bytes: { dataType: 'Binary', binaryValue: 'AAH/' },
      }
      const [sent] = await send(queue, { body, attributes })
      const [message, ...others] = await receive(queue)
      expect(others).toEqual([])
      expect(message).toMatchObject({ messageId: sent!.messageId, body, attributes, receiveCount: 1 })
      expect(message!.firstReceivedAt).toBeGreaterThanOrEqual(message!.sentAt)
    })

    it('hides a received message for the visibility timeout, and counts receives', async () => {
      await create({ visibilityTimeout: 1000 })
      await send(queue, 'a')
      const [first] = await receive(queue)
      expect(await bodies(queue)).toEqual([])
      await test.pass(1100)
      const [second] = await receive(queue)
      expect(second).toMatchObject({
        messageId: first!.messageId,
        receiveCount: 2,
        firstReceivedAt: first!.firstReceivedAt,
      })
      expect(second!.receiptHandle).not.toBe(first!.receiptHandle)
    })

    it('deletes a message with the latest receipt handle, but not with an earlier one', async () => {
      await create()
      await send(queue, 'a')
      const [first] = await receive(queue, { visibilityTimeout: 1000 })
      await test.pass(1100)
      const [second] = await receive(queue, { visibilityTimeout: 1000 })
      await test.store.deleteMessages(queue, [first!.receiptHandle])
      await test.pass(1100)
      const [last] = await receive(queue, { visibilityTimeout: 1000 })
      expect([first, second, last].map(each => each?.receiveCount)).toEqual([1, 2, 3])
      expect(await test.store.deleteMessages(queue, [last!.receiptHandle])).toEqual([undefined])
      expect(await test.store.deleteMessages(queue, [last!.receiptHandle])).toEqual([undefined])
      await test.pass(1100)
      expect(await bodies(queue)).toEqual([])
    })

    it('makes a message visible at once with a visibility timeout of 0', async () => {
      await create()
      await send(queue, 'a')
      const [first] = await receive(queue)
      const change = { receiptHandle: first!.receiptHandle, timeout: 0 }
      expect(await test.store.changeVisibility(queue, [change])).toEqual([undefined])
      expect(await bodies(queue)).toEqual(['a'])
    })

    it('hides a message for longer after a call to changeVisibility()', async () => {
      await create({ visibilityTimeout: 1000 })
      await send(queue, 'a')
      const [first] = await receive(queue)
      await test.store.changeVisibility(queue, [{ receiptHandle: first!.receiptHandle, timeout: 2000 }])
      await test.pass(1300)
      expect(await bodies(queue)).toEqual([])
      await test.pass(1000)
      expect(await bodies(queue)).toEqual(['a'])
    })

    it('accepts a receipt handle for changeVisibility() even after the visibility timeout', async () => {
      await create({ visibilityTimeout: 1000 })
      await send(queue, 'a')
      const [first] = await receive(queue)
      await test.pass(1100)
      const change = { receiptHandle: first!.receiptHandle, timeout: 2000 }
      expect(await test.store.changeVisibility(queue, [change])).toEqual([undefined])
    })

    it('delays messages by the delay of the queue or of the message', async () => {
      await create()
      await send(queue, { body: 'later', delay: 1000 }, 'now')
      expect(await bodies(queue)).toEqual(['now'])
      await test.pass(1100)
      expect(await bodies(queue)).toEqual(['later'])
    })

    it('moves a message to the dead-letter queue after maxReceiveCount receives, and keeps its id', async () => {
      const dead = await create({}, `${queue}-dead`)
      await create({ visibilityTimeout: 1000, deadLetter: { queue: dead, maxReceiveCount: 1 } })
      const [sent] = await send(queue, 'poison')
      expect(await bodies(queue)).toEqual(['poison'])
      await test.pass(1100)
      expect(await bodies(queue)).toEqual([])
      const [letter] = await receive(dead, { wait: 2000 })
      expect(letter).toMatchObject({ messageId: sent!.messageId, body: 'poison' })
      expect(letter!.receiveCount).toBeGreaterThan(1)
    })

    it('wakes a waiting receive request at once after a send', async () => {
      await create()
      const waiting = bodies(queue, { wait: 20_000 })
      await new Promise(resolve => setTimeout(resolve, 20))
      await send(queue, 'a')
      expect(await waiting).toEqual(['a'])
    })

    it('ends a waiting receive request after the requested time or on abort', async () => {
      await create()
      const waiting = bodies(queue, { wait: 1000 })
      await test.pass(1100)
      expect(await waiting).toEqual([])
      const stop = new AbortController()
      const unwanted = bodies(queue, { wait: 20_000, signal: stop.signal })
      stop.abort()
      expect(await unwanted).toEqual([])
      expect(await bodies(queue, { wait: 20_000, signal: stop.signal })).toEqual([])
    })

    it('delivers up to max messages, counts the remaining messages, and can be purged', async () => {
      await create()
      await send(queue, 'a', 'b', 'c', 'd')
      await send(queue, { body: 'e', delay: 600_000 })
      expect(await receive(queue, { max: 3 })).toHaveLength(3)
      expect(await test.store.depth(queue)).toEqual({ visible: 1, inFlight: 3, delayed: 1 })
      await test.store.purge(queue)
      expect(await test.store.depth(queue)).toEqual({ visible: 0, inFlight: 0, delayed: 0 })
      expect(await bodies(queue)).toEqual([])
    })

    it('accepts and deletes many messages in one call', async () => {
      await create()
      const names = Array.from({ length: 25 }, (_, position) => `m${position}`)
      const sent = await send(queue, ...names)
      expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(25)
      const got = [...(await receive(queue)), ...(await receive(queue)), ...(await receive(queue))]
      expect(got.map(({ body }) => body).sort()).toEqual(names.sort())
      const receiptHandles = got.map(({ receiptHandle }) => receiptHandle)
      expect(await test.store.deleteMessages(queue, receiptHandles)).toEqual(
        receiptHandles.map(() => undefined),
      )
      expect(await test.store.depth(queue)).toMatchObject({ visible: 0, inFlight: 0 })
    })
  })
}
