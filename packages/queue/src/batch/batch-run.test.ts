import { afterEach, describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import * as t from 'io-ts'
import { discard, eachMessage, type Message, queue } from '../index.ts'
import { queueEvent, queueRecord } from '../testing/index.ts'

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

describe('hooks', () => {
  it.each([
    [
      'throw',
      () => {
        throw new Error('hook')
      },
    ],
    ['reject', () => Promise.reject(new Error('hook'))],
  ])('%s: the outcome does not change', async (_what, hook) => {
    const answer = await answerOf(
      ({ body }) => {
        if (body === 'a') throw new Error('x')
        if (body === 'b') discard('x')
      },
      { onFailure: hook, onDiscard: hook },
    )
    expect(answer).toEqual(failing('a'))
  })

  it('returning a promise with methods of its own does not change the outcome', async () => {
    const odd = () => Object.assign(Promise.resolve(), { catch: () => 5 })
    const onMessage = () => {
      throw new Error('x')
    }
    expect(await answerOf(onMessage, { onFailure: odd })).toEqual(failing('a', 'b', 'c'))
  })

  it('are not called for a record that cannot be read, and only that record fails', async () => {
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

  it('the response waits for hooks', async () => {
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

describe('without onFailure', () => {
  const before = { node: process.env.NODE_ENV, warn: console.warn }
  afterEach(() => {
    process.env.NODE_ENV = before.node
    console.warn = before.warn
  })

  it('a warning on the console tells why a message failed, in development, and otherwise nothing', async () => {
    const warnings: unknown[] = []
    console.warn = (...words) => warnings.push(...words)
    const no = new Error('no')
    const fail = () => {
      throw no
    }
    const handlers = () => [
      signalbox(queue({ onMessage: fail })),
      signalbox(queue({ onBatch: fail })),
      eachMessage(t.string, fail),
      signalbox(queue({ onMessage: fail, onFailure: () => {} })),
    ]
    const event = queueEvent({ bodies: ['a'] })
    for (const handler of handlers()) await handler(event)
    expect(warnings).toEqual([])
    process.env.NODE_ENV = 'development'
    for (const handler of handlers()) await handler(event)
    const warning = [`message ${event.Records[0]!.messageId} failed:`, no]
    expect(warnings.splice(0)).toEqual([...warning, ...warning, ...warning])
    await signalbox(queue({ body: t.literal('b'), onMessage: fail }))(event)
    expect(warnings[1]).toBe(
      `Message ${event.Records[0]!.messageId} cannot be read:\n/body: expected 'b', was string 'a'`,
    )
  })
})
