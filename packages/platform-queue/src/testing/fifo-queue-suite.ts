import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { QueueAttributes } from '../store/queue-attributes.ts'
import type { NewMessage, SentMessage } from '../store/queue-store.ts'
import type { QueueEngine, StoreUnderTest } from './queue-engines.ts'

/** The shared tests of FIFO queues, which every queue store must pass. */
export function fifoQueueSuite({ name, make }: QueueEngine): void {
  describe(`a FIFO queue in ${name}`, () => {
    let test: StoreUnderTest
    beforeEach(async () => {
      test = await make()
    })
    afterEach(() => test.end())

    const create = async (attributes: Partial<QueueAttributes> = {}, queue = 'orders.fifo') => {
      await test.store.createQueue(queue, attributes)
      return queue
    }
    const message = (body: string, group = 'g', deduplicationId = body): NewMessage => ({
      body,
      group,
      deduplicationId,
    })
    const send = async (queue: string, ...messages: NewMessage[]) =>
      (await test.store.send(queue, messages)) as readonly SentMessage[]
    const receive = (queue: string, max = 10) => test.store.receive(queue, { max, wait: 0 })
    const bodies = async (queue: string, max = 10) => (await receive(queue, max)).map(({ body }) => body)

    it('delivers a group in order, with increasing SequenceNumbers', async () => {
      const queue = await create()
      const sent = await send(queue, message('1'), message('2'), message('3'))
      const got = await receive(queue)
      expect(got.map(({ body }) => body)).toEqual(['1', '2', '3'])
      expect(got.map(each => each.sequenceNumber)).toEqual(sent.map(each => each.sequenceNumber))
      const numbers = sent.map(each => BigInt(each.sequenceNumber!))
      expect(numbers[0]! < numbers[1]! && numbers[1]! < numbers[2]!).toBe(true)
      expect(numbers[0]).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER))
      expect(got[0]).toMatchObject({ group: 'g', deduplicationId: '1' })
    })

    it('delivers no message of a group that has a message in flight', async () => {
      const queue = await create()
      await send(queue, message('a1', 'a'), message('a2', 'a'), message('b1', 'b'))
      const [first] = await receive(queue, 1)
      expect(first!.body).toBe('a1')
      expect(await bodies(queue)).toEqual(['b1'])
      expect(await bodies(queue)).toEqual([])
      await test.store.deleteMessages(queue, [first!.receiptHandle])
      expect(await bodies(queue)).toEqual(['a2'])
    })

    it('redelivers only the message that was made visible, as long as a later message of its group is in flight', async () => {
      const queue = await create()
      await send(queue, message('1'), message('2'), message('3'))
      const [first, second] = await receive(queue, 2)
      await test.store.changeVisibility(queue, [{ receiptHandle: first!.receiptHandle, timeout: 0 }])
      expect(await bodies(queue)).toEqual(['1'])
      expect(await bodies(queue)).toEqual([])
      await test.store.deleteMessages(queue, [second!.receiptHandle])
      expect(await bodies(queue)).toEqual([])
    })

    it.each([
      ['first', 0, []],
      ['second', 1, ['1']],
      ['third', 2, ['1', '2']],
    ])(
      'redelivers the messages of a group only up to the %s message while that message stays hidden',
      async (_which, at, again) => {
        const queue = await create({ visibilityTimeout: 1000 })
        await send(queue, message('1'), message('2'), message('3'))
        const held = (await receive(queue))[at]!
        await test.store.changeVisibility(queue, [{ receiptHandle: held.receiptHandle, timeout: 4000 }])
        await test.pass(2500)
        expect(await bodies(queue)).toEqual(again)
      },
    )

    it('delivers no message of a group while the second message is in flight, even after the first one is deleted', async () => {
      const queue = await create()
      await send(queue, message('1'), message('2'), message('3'))
      const [first, second] = await receive(queue, 2)
      await test.store.deleteMessages(queue, [first!.receiptHandle])
      expect(await bodies(queue)).toEqual([])
      await test.store.deleteMessages(queue, [second!.receiptHandle])
      expect(await bodies(queue)).toEqual(['3'])
    })

    it('accepts a deduplication id once in each group if DeduplicationScope is messageGroup', async () => {
      const queue = await create({ deduplicationScope: 'messageGroup' })
      await send(queue, message('1', 'a', 'token'), message('2', 'b', 'token'), message('3', 'a', 'token'))
      expect((await bodies(queue)).sort()).toEqual(['1', '2'])
    })

    it.each([
      ['queue', 'messageGroup', ['1', '3', '4']],
      ['messageGroup', 'queue', ['1', '3', '2']],
    ] as const)(
      'deduplicates later messages by a DeduplicationScope that changed from %s to %s, and earlier messages as before',
      async (before, after, expected) => {
        const queue = await create({ deduplicationScope: before })
        await send(queue, message('1', 'a', 'early'))
        await test.store.setAttributes(queue, { deduplicationScope: after })
        // The scope of the first message decides whether the second one is a duplicate in another group.
        await send(queue, message('2', 'b', 'early'), message('5', 'a', 'early'))
        await send(queue, message('3', 'a', 'late'), message('4', 'b', 'late'), message('6', 'a', 'late'))
        expect(await bodies(queue)).toEqual(expected)
      },
    )

    it('refuses to change visibility with an older or expired receipt handle', async () => {
      const queue = await create({ visibilityTimeout: 1000 })
      await send(queue, message('1'))
      const [older] = await receive(queue)
      await test.pass(1100)
      const change = async (receiptHandle: string) =>
        (await test.store.changeVisibility(queue, [{ receiptHandle, timeout: 5000 }]))[0]
      expect(await change(older!.receiptHandle)).toMatchObject({ code: 'NOT_IN_FLIGHT' })
      await receive(queue)
      expect(await change(older!.receiptHandle)).toMatchObject({ code: 'INVALID_PARAMETER' })
    })

    it('returns the same messages for the same ReceiveRequestAttemptId while they are unchanged', async () => {
      const queue = await create({ visibilityTimeout: 60_000 })
      await send(queue, message('1'), message('2'), message('3', 'other'))
      const attempt = async (attemptId: string) => test.store.receive(queue, { max: 2, wait: 0, attemptId })
      const first = await attempt('a')
      expect(first.map(({ body }) => body)).toEqual(['1', '2'])
      await test.pass(50_000)
      expect(await attempt('a')).toEqual(first)
      await test.pass(50_000)
      expect((await attempt('b')).map(({ body }) => body)).toEqual(['3'])
      expect(await attempt('a')).toEqual(first)
      await test.store.deleteMessages(queue, [first[0]!.receiptHandle])
      expect(await attempt('a')).toEqual([])
      await test.pass(61_000)
      const later = (await attempt('a')).find(({ body }) => body === '2')!
      expect(later.receiveCount).toBe(2)
      expect(later.receiptHandle).not.toBe(first[1]!.receiptHandle)
    })

    it('does not return the same messages for a ReceiveRequestAttemptId after 5 minutes', async () => {
      const queue = await create({ visibilityTimeout: 600_000 })
      await send(queue, message('1'))
      const attempt = () => test.store.receive(queue, { max: 2, wait: 0, attemptId: 'a' })
      expect(await attempt()).toHaveLength(1)
      await test.pass(5 * 60_000)
      expect(await attempt()).toEqual([])
    })

    it('redelivers a failed message before it delivers the next message of the same group', async () => {
      const queue = await create({ visibilityTimeout: 1000 })
      await send(queue, message('1'), message('2'))
      await receive(queue, 1)
      await test.pass(1100)
      expect(await bodies(queue)).toEqual(['1', '2'])
    })

    it('delivers messages of all groups in turn', async () => {
      const queue = await create()
      const busy = ['1', '2', '3', '4'].map(each => message(each, 'busy'))
      await send(queue, ...busy, message('quiet', 'quiet'))
      const [first] = await receive(queue, 1)
      await test.store.changeVisibility(queue, [{ receiptHandle: first!.receiptHandle, timeout: 0 }])
      expect(await bodies(queue, 1)).toEqual(['quiet'])
      expect(await bodies(queue, 1)).toEqual(['1'])
    })

    it('accepts but does not deliver a duplicate within 5 minutes, even after the original is deleted', async () => {
      const queue = await create()
      const [first] = await send(queue, message('once', 'g', 'token'))
      const [again] = await send(queue, message('twice', 'g', 'token'))
      expect(again!.messageId).toBe(first!.messageId)
      const [got, ...others] = await receive(queue)
      expect(others).toEqual([])
      await test.store.deleteMessages(queue, [got!.receiptHandle])
      await test.pass(5 * 60_000 - 1000)
      await send(queue, message('thrice', 'g', 'token'))
      expect(await bodies(queue)).toEqual([])
      await test.pass(1000)
      await send(queue, message('later', 'g', 'token'))
      expect(await bodies(queue)).toEqual(['later'])
    })

    it('forgets deduplication ids when it is purged', async () => {
      const queue = await create()
      await send(queue, message('before', 'g', 'token'))
      await test.store.purge(queue)
      await send(queue, message('after', 'g', 'token'))
      expect(await bodies(queue)).toEqual(['after'])
    })

    it('detects duplicates by their body if contentBasedDeduplication is enabled', async () => {
      const queue = await create({ contentBasedDeduplication: true })
      const like = (body: string) => ({ body, group: 'g' })
      await send(queue, like('same'), like('same'), like('other'))
      expect(await bodies(queue)).toEqual(['same', 'other'])
    })

    it('refuses to delete with an expired receipt handle', async () => {
      const queue = await create({ visibilityTimeout: 1000 })
      await send(queue, message('1'))
      const [first] = await receive(queue)
      await test.pass(1100)
      const [error] = await test.store.deleteMessages(queue, [first!.receiptHandle])
      expect(error).toMatchObject({ code: 'RECEIPT_HANDLE_EXPIRED' })
      expect(await bodies(queue)).toEqual(['1'])
    })

    it('moves a message to the dead-letter queue after maxReceiveCount receives, and delivers the next message', async () => {
      const dead = await create({}, 'dead.fifo')
      const queue = await create({ visibilityTimeout: 1000, deadLetter: { queue: dead, maxReceiveCount: 1 } })
      const [sent] = await send(queue, message('poison'), message('fine'))
      expect(await bodies(queue, 1)).toEqual(['poison'])
      await test.pass(1100)
      expect(await bodies(queue)).toEqual(['fine'])
      const letter = { body: 'poison', messageId: sent!.messageId, group: 'g' }
      expect(await receive(dead)).toMatchObject([letter])
    })

    it('delivers a message of the next group in the same receive request when a message moves to the dead-letter queue', async () => {
      const dead = await create({}, 'dead.fifo')
      const queue = await create({ visibilityTimeout: 1000, deadLetter: { queue: dead, maxReceiveCount: 1 } })
      await send(queue, message('1', 'a'), message('2', 'b'))
      expect(await bodies(queue)).toEqual(['1', '2'])
      await test.pass(1100)
      await send(queue, message('3', 'c'), message('4', 'd'))
      expect(await bodies(queue, 1)).toEqual(['3'])
      expect((await bodies(dead)).sort()).toEqual(['1', '2'])
    })
  })
}
