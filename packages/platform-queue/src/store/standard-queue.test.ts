import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type StoreUnderTest, standardQueueEngines } from '../testing/queue-engines.ts'
import type { QueueAttributes } from './queue-attributes.ts'
import type { NewMessage, ReceiveOptions, SentMessage } from './queue-store.ts'

describe.each(standardQueueEngines)('a standard queue of $name', ({ make }) => {
  let test: StoreUnderTest
  let queue: string
  let number = 0
  beforeEach(async () => {
    test = await make()
    // A name of its own, since an engine may remember queues.
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

  it('is made once, and again when nothing about it differs', async () => {
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

  it('refuses everything when it is not there', async () => {
    const missing = { code: 'QUEUE_NOT_FOUND' }
    await expect(receive(queue)).rejects.toMatchObject(missing)
    await expect(send(queue, 'x')).rejects.toMatchObject(missing)
    await expect(test.store.purge(queue)).rejects.toMatchObject(missing)
    await expect(test.store.deleteQueue(queue)).rejects.toMatchObject(missing)
    await expect(test.store.attributes(queue)).rejects.toMatchObject(missing)
  })

  it('hands over what was sent', async () => {
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

  it('hides what was received until the visibility timeout is over, and counts', async () => {
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

  it('deletes with the last receiptHandle, and not with one before', async () => {
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

  it('gives back at once what is to be visible at once', async () => {
    await create()
    await send(queue, 'a')
    const [first] = await receive(queue)
    const change = { receiptHandle: first!.receiptHandle, timeout: 0 }
    expect(await test.store.changeVisibility(queue, [change])).toEqual([undefined])
    expect(await bodies(queue)).toEqual(['a'])
  })

  it('hides for longer what takes longer', async () => {
    await create({ visibilityTimeout: 1000 })
    await send(queue, 'a')
    const [first] = await receive(queue)
    await test.store.changeVisibility(queue, [{ receiptHandle: first!.receiptHandle, timeout: 2000 }])
    await test.pass(1300)
    expect(await bodies(queue)).toEqual([])
    await test.pass(1000)
    expect(await bodies(queue)).toEqual(['a'])
  })

  it('ChangeMessageVisibility takes a receiptHandle whose time is over', async () => {
    await create({ visibilityTimeout: 1000 })
    await send(queue, 'a')
    const [first] = await receive(queue)
    await test.pass(1100)
    const change = { receiptHandle: first!.receiptHandle, timeout: 2000 }
    expect(await test.store.changeVisibility(queue, [change])).toEqual([undefined])
  })

  it('delays what is to be delayed', async () => {
    await create()
    await send(queue, { body: 'later', delay: 1000 }, 'now')
    expect(await bodies(queue)).toEqual(['now'])
    await test.pass(1100)
    expect(await bodies(queue)).toEqual(['later'])
  })

  it('gives a message up after maxReceiveCount, and keeps its id', async () => {
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

  it('wakes at once whoever waits', async () => {
    await create()
    const waiting = bodies(queue, { wait: 20_000 })
    await new Promise(resolve => setTimeout(resolve, 20))
    await send(queue, 'a')
    expect(await waiting).toEqual(['a'])
  })

  it('waits no longer than asked for, or than wanted', async () => {
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

  it('receives as many as asked for, tells how many there are, and purges', async () => {
    await create()
    await send(queue, 'a', 'b', 'c', 'd')
    await send(queue, { body: 'e', delay: 600_000 })
    expect(await receive(queue, { max: 3 })).toHaveLength(3)
    expect(await test.store.depth(queue)).toEqual({ visible: 1, inFlight: 3, delayed: 1 })
    await test.store.purge(queue)
    expect(await test.store.depth(queue)).toEqual({ visible: 0, inFlight: 0, delayed: 0 })
    expect(await bodies(queue)).toEqual([])
  })

  it('sends and deletes many at a time', async () => {
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
