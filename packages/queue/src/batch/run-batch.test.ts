import { afterEach, describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import * as t from 'io-ts'
import { discard, eachMessage, type Message, queue } from '../index.ts'
import { fifoEvent, queueEvent, queueRecord } from '../testing/index.ts'

const event = queueEvent({ bodies: ['a', 'b', 'c'] })
const idOf = Object.fromEntries(event.Records.map(({ body, messageId }) => [body, messageId]))
const failing = (...bodies: string[]) => ({
  batchItemFailures: bodies.map(body => ({ itemIdentifier: idOf[body] })),
})
const refuse = () => {
  throw new Error('trapped')
}
const answerOf = (onMessage: (message: Message) => unknown, options: object = {}) =>
  signalbox(queue({ ...options, onMessage }))(event)

describe('hooks of queue()', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('hook')
      },
    ],
    ['rejects', () => Promise.reject(new Error('hook'))],
  ])('do not change the response when one of them %s', async (_what, hook) => {
    const answer = await answerOf(
      ({ body }) => {
        if (body === 'a') throw new Error('x')
        if (body === 'b') discard('x')
      },
      { onFailure: hook, onDiscard: hook },
    )
    expect(answer).toEqual(failing('a'))
  })

  it('cannot change the response by returning a promise whose catch() is overridden', async () => {
    const odd = () => Object.assign(Promise.resolve(), { catch: () => 5 })
    const onMessage = () => {
      throw new Error('x')
    }
    expect(await answerOf(onMessage, { onFailure: odd })).toEqual(failing('a', 'b', 'c'))
  })

  it('are not called for a record with a throwing getter, and the other records are still handled', async () => {
    const records = ['a', 'b', 'c'].map(messageId => queueRecord(messageId, { messageId }))
    Object.defineProperty(records[1], 'body', { get: refuse })
    const batch = queueEvent({ records })
    const handled: string[] = []
    const onFailure = () => handled.push('told')
    const single = signalbox(queue({ onFailure, onMessage: ({ id }) => handled.push(id) }))
    const whole = signalbox(
      queue({ onFailure, onBatch: messages => handled.push(...messages.map(({ id }) => id)) }),
    )
    for (const handler of [single, whole])
      expect(await handler(batch)).toEqual({ batchItemFailures: [{ itemIdentifier: 'b' }] })
    expect(handled).toEqual(['a', 'c', 'a', 'c'])
  })

  it('are awaited before the response is returned', async () => {
    const order: string[] = []
    const answer = answerOf(
      () => {
        throw new Error('x')
      },
      {
        async onFailure({ body }: Message) {
          await new Promise(resolve => setImmediate(resolve))
          order.push(body)
        },
      },
    )
    await answer.then(() => order.push('answered'))
    expect(order).toEqual(['a', 'b', 'c', 'answered'])
  })
})

describe('the log option', () => {
  const before = console.error
  afterEach(() => {
    console.error = before
  })
  const no = new Error('no')
  const fail = () => {
    throw no
  }

  it('is console.error by default for every kind of handler, even when onFailure is set', async () => {
    const logged: unknown[] = []
    console.error = (...words) => logged.push(words)
    const event = queueEvent({ bodies: ['a'] })
    const handlers = [
      signalbox(queue({ onMessage: fail })),
      signalbox(queue({ onBatch: fail })),
      eachMessage(t.string, fail),
      signalbox(queue({ onMessage: fail, onFailure: () => {} })),
    ]
    for (const handler of handlers) await handler(event)
    const line = [`Message ${event.Records[0]!.messageId} failed at attempt 1:`, no]
    expect(logged).toEqual([line, line, line, line])
  })

  it('receives the reason why a message is unreadable, but not its body', async () => {
    const logged: unknown[] = []
    const Order = t.union([t.type({ id: t.string }), t.type({ sku: t.string })], 'Order')
    const body = JSON.stringify({ id: 'hidden' })
    await signalbox(
      queue({ body: Order as never, onMessage: fail, log: (...words) => logged.push(...words) }),
    )(queueEvent({ bodies: [body] }))
    expect(String(logged[1])).toContain(
      '/body: expected Order, so write body: fromJson(Order), was JSON text',
    )
    expect(String(logged)).not.toContain('hidden')
  })

  it('receives advice to wrap the handler in aws() when eachMessage() gets an AWS event', async () => {
    const logged: unknown[] = []
    const handler = eachMessage(t.string, fail, { log: (_text, reason) => logged.push(reason) })
    await handler({ Records: [queueRecord('a', { eventSource: 'aws:sqs' as never })] })
    expect(logged).toEqual([expect.stringContaining('wrap the handler in aws() of @signalbox/aws')])
  })

  it('can be false or a function that throws, without changing the response', async () => {
    console.error = () => expect('a log').toBe('none')
    const event = queueEvent({ bodies: ['a'] })
    const failures = { batchItemFailures: [{ itemIdentifier: event.Records[0]!.messageId }] }
    expect(await signalbox(queue({ onMessage: fail, log: false }))(event)).toEqual(failures)
    expect(await signalbox(queue({ onMessage: fail, log: fail }))(event)).toEqual(failures)
  })

  it('receives one line for a failed message and one line for each later message of its FIFO group', async () => {
    const logged: string[] = []
    const handler = signalbox(queue({ onMessage: fail, log: text => logged.push(text) }))
    await handler(
      fifoEvent([
        ['g', 'a'],
        ['g', 'b'],
      ]),
    )
    expect(logged).toHaveLength(2)
  })
})
