import { describe, expect, it } from '@jest/globals'
import { type Invocation, type InvocationContext, type Request, signalbox } from '@signalbox/core'
import type { QueueEvent } from './contract/event.ts'
import { queue } from './queue.ts'
import { queueEvent } from './testing/index.ts'

describe('the handler of queue()', () => {
  const plugin = () => queue({ log: false, onMessage: () => {} })
  const breakRecord = (event: QueueEvent) => Object.assign(event.Records[1]!, { body: 7 })
  const breaks = { before: ({ event }: Request<QueueEvent>) => void breakRecord(event) }
  const wrapped = (inner = plugin()) => ({
    ...inner,
    handler: (event: never, context: InvocationContext, invocation: Invocation) => {
      breakRecord(event)
      return inner.handler(event, context, invocation)
    },
  })
  const extended = (inner = plugin()) => ({ ...inner, middlewares: [...inner.middlewares, breaks] })

  it.each([
    ['a middleware', () => signalbox(plugin()).use(breaks)],
    ['a middleware of an extended plugin', () => signalbox(extended())],
    ['a handler around it', () => signalbox(wrapped())],
    ['a middleware, under the hooks of middy', () => signalbox(plugin(), { afterHandler() {} }).use(breaks)],
  ])('checks the records again when %s can have changed them', async (_, handler) => {
    const event = queueEvent({ bodies: ['a', 'b', 'c'] })
    expect(await handler()(event)).toEqual({
      batchItemFailures: [{ itemIdentifier: event.Records[1]!.messageId }],
    })
  })

  it('checks the records of an event again when the same event arrives once more', async () => {
    const event = queueEvent({ bodies: ['a', 'b', 'c'] })
    const handler = signalbox(plugin())
    expect(await handler(event)).toEqual({ batchItemFailures: [] })
    breakRecord(event)
    expect(await handler(event)).toMatchObject({ batchItemFailures: [{}] })
  })
})
