import { fromJson } from '@signalbox/codec'
import { type Plugin, type Store, signalbox } from '@signalbox/core'
import * as t from 'io-ts'
import { expect, test } from 'tstyche'
import * as v from 'valibot'
import * as z from 'zod'
import type { BatchResponse, FailureCollector, Message, QueueEvent } from './index.ts'
import { discard, eachMessage, once, queue } from './index.ts'
import { queueEvent } from './testing/index.ts'

const Order = t.type({ id: t.string, total: t.number })
type Order = t.TypeOf<typeof Order>
declare const store: Store
declare function ship(message: Message<Order>): Promise<void>
declare function print(message: Message<string>): void

test('the codec determines the type of the body', () => {
  queue({
    body: fromJson(Order),
    onMessage({ body, attempt, sentAt, sequence, attributes, signal }) {
      expect(body).type.toBe<Order>()
      expect(attempt).type.toBe<number>()
      expect(sentAt).type.toBe<Date>()
      expect(sequence).type.toBe<string | undefined>()
      expect(signal).type.toBe<AbortSignal>()
      const colour = attributes.colour
      if (colour?.type === 'Binary') expect(colour.value).type.toBe<Uint8Array>()
      if (colour?.type === 'Number') expect(colour.value).type.toBe<number>()
    },
  })
})

test('a schema from any library determines the type of the body', () => {
  queue({
    body: fromJson(z.object({ id: z.string(), page: z.string().transform(Number) })),
    onMessage: ({ body }) => expect(body).type.toBe<{ id: string; page: number }>(),
  })
  queue({
    body: v.pipe(v.string(), v.transform(Number)),
    onMessage: ({ body }) => expect(body).type.toBe<number>(),
  })
  eachMessage(fromJson(z.array(z.string())), ({ body }) => expect(body).type.toBe<string[]>())
})

test('the codec determines the type of every body in a batch', () => {
  queue({
    body: fromJson(Order),
    async onBatch(messages, failures) {
      expect(messages[0]!.body).type.toBe<Order>()
      expect(failures).type.toBe<FailureCollector>()
      for (const message of messages) failures.add(message, 'no room')
    },
  })
})

test('without a codec the body is a string', () => {
  queue({ onMessage: message => expect(message).type.toBe<Message<string>>() })
  queue({ onMessage: print })
})

test('a codec can decode a string to any type', () => {
  queue({ body: t.string, onMessage: ({ body }) => expect(body).type.toBe<string>() })
  queue({ body: t.literal('ping'), onMessage: ({ body }) => expect(body).type.toBe<'ping'>() })
})

test('queueEvent({ body }) does not compile, and the error says to write bodies', () => {
  // @ts-expect-error Hint<"write bodies: […]">
  queueEvent({ body: 'one' })
})

test('a body codec or schema that does not decode strings does not compile, and the error says to write fromJson()', () => {
  const schema = z.object({ id: z.string() })
  // @ts-expect-error Hint<"a message is text: write fromJson(…) around the codec or schema">
  queue({ body: Order, onMessage: () => {} })
  // @ts-expect-error Hint<"a message is text: write fromJson(…) around the codec or schema">
  queue({ body: schema, onMessage: () => {} })
  // @ts-expect-error Hint<"a message is text: write fromJson(…) around the codec or schema">
  eachMessage(t.number, () => {})
  queue({ body: fromJson(schema), onMessage: ({ body }) => expect(body).type.toBe<{ id: string }>() })
  queue({ body: z.string(), onMessage: ({ body }) => expect(body).type.toBe<string>() })
  queue({ body: z.preprocess(String, schema), onMessage: ({ body }) => expect(body.id).type.toBe<string>() })
})

test('a handler whose body type differs from the decoded type does not compile', () => {
  // @ts-expect-error Type 'string' is not assignable to type '{ id: string; total: number; }'
  queue({ onMessage: ship })
  // @ts-expect-error is not assignable to type 'string'
  queue({ body: fromJson(Order), onMessage: print })
})

test('exactly one of onMessage and onBatch is required', () => {
  // @ts-expect-error not assignable to type 'undefined'
  queue({ onMessage: () => undefined, onBatch: () => undefined })
  // @ts-expect-error Property 'onBatch' is missing
  queue({ body: fromJson(Order) })
})

test('a call with an unknown option does not compile', () => {
  // @ts-expect-error 'concurency' does not exist
  queue({ onMessage: print, concurency: 5 })
  // @ts-expect-error 'md5' does not exist
  queue({ onMessage: print, md5: true })
})

test('hooks get a message whose body has the type unknown, because the body might not have been decoded', () => {
  queue({
    body: fromJson(Order),
    onMessage: ship,
    onFailure(message, reason) {
      expect(message).type.toBe<Message<unknown>>()
      expect(reason).type.toBe<unknown>()
    },
  })
})

test('eachMessage() is a plain handler', () => {
  const handler = eachMessage(fromJson(Order), ship, { concurrency: 2 })
  expect(handler({} as QueueEvent)).type.toBe<Promise<BatchResponse>>()
  eachMessage(fromJson(Order), ({ body }) => expect(body).type.toBe<Order>())
  // @ts-expect-error 'concurency' does not exist
  eachMessage(fromJson(Order), ship, { concurency: 2 })
})

test('once() keeps the type of the body', () => {
  expect(once({ store })(ship)).type.toBe<(message: Message<Order>) => unknown>()
  queue({ body: fromJson(Order), onMessage: once({ store })(ship) })
  queue({
    body: fromJson(Order),
    onMessage: once({ store, ttl: 60_000 })(async ({ body }) => {
      expect(body).type.toBe<Order>()
    }),
  })
  queue({
    body: fromJson(Order),
    onMessage: once({ store, key: ({ body }: Message<Order>) => body.id })(ship),
  })
  // @ts-expect-error Property 'id' does not exist on type 'never'
  once({ store, key: ({ body }) => body.id })
})

test('code after discard() is unreachable', () => {
  expect(discard('expired')).type.toBe<never>()
})

test('a plugin returns a batch response', () => {
  expect(queue({ onMessage: print })).type.toBe<Plugin<BatchResponse, QueueEvent>>()
  expect(signalbox(queue({ onMessage: print }))({})).type.toBe<Promise<BatchResponse>>()
})

test('a middleware written inside use() has the event type of the plugin', () => {
  signalbox(queue({ body: fromJson(Order), onMessage: ship }))
    .use({
      before: ({ event }) => {
        expect(event).type.toBe<QueueEvent>()
      },
      after: ({ response }) => {
        expect(response).type.toBe<BatchResponse | undefined>()
      },
    })
    .before(({ event }) => {
      expect(event.Records).type.toBe<QueueEvent['Records']>()
    })
})
