import { describe, expect, it } from '@jest/globals'
import { executionModeDurableContext } from '@middy/core/DurableContext'
import { trace } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { type Middleware, memoryStore, type Plugin, signalbox } from '@signalbox/core'
import { type DurableHandler, durable, durableOperations, step, wait } from '@signalbox/core/durable'
import { executionOf } from '@signalbox/core/durable/invocations-suite'
import { loadBalancer, post, text } from '@signalbox/load-balancer'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { type Message, once, queue } from '@signalbox/queue'
import { queueEvent } from '@signalbox/queue/testing'
import { log, telemetry } from '@signalbox/telemetry'
import { once as onceForTriggers, userPool } from '@signalbox/user-pool'
import { postConfirmationEvent } from '@signalbox/user-pool/testing'

const hour = { hours: 1 }

const ways = {
  'durable() around signalbox()': (
    plugin: Plugin,
    middlewares: readonly Middleware[] = [],
  ): DurableHandler => {
    const plain = signalbox(plugin)
    for (const middleware of middlewares) plain.use(middleware)
    return durable(plain)
  },
  'middy’s execution mode': (plugin: Plugin, middlewares: readonly Middleware[] = []): DurableHandler =>
    signalbox(plugin, { executionMode: executionModeDurableContext }).use([
      durableOperations(),
      ...middlewares,
    ]) as never,
}

describe.each(Object.entries(ways))('in a later invocation, with %s', (_way, make) => {
  it('once() goes on with the messages of its execution, and no other execution handles them', async () => {
    const handled: string[] = []
    const store = memoryStore()
    const orders = queue({
      log: false,
      onMessage: once({ store })(async ({ body }: Message) => {
        await wait('pause', hour)
        await step('handle', () => void handled.push(body))
      }),
    })
    const event = queueEvent({ bodies: ['a', 'b'] })
    const [first, second] = [executionOf(make(orders), event), executionOf(make(orders), event, 'arn:other')]
    expect(await first.invoke()).toEqual({ Status: 'PENDING' })
    const failed = event.Records.map(({ messageId }) => ({ itemIdentifier: messageId }))
    const other = await second.invoke()
    expect(JSON.parse(Object(other).Result)).toEqual({ batchItemFailures: failed })
    first.end()
    expect(await first.invoke()).toEqual({ Status: 'SUCCEEDED', Result: '{"batchItemFailures":[]}' })
    expect(handled.toSorted()).toEqual(['a', 'b'])
    const third = executionOf(make(orders), event, 'arn:other')
    expect(await third.invoke()).toEqual({ Status: 'SUCCEEDED', Result: '{"batchItemFailures":[]}' })
    expect(handled).toHaveLength(2)
  })

  it('once() goes on with the trigger of its execution, and gives another execution the same answer', async () => {
    const greeted: string[] = []
    const middleware = onceForTriggers({ store: memoryStore(), triggers: ['PostConfirmation'] })
    const greet = userPool({
      PostConfirmation: async ({ userName }) => {
        await wait('pause', hour)
        await step('greet', () => void greeted.push(userName))
      },
    })
    const first = executionOf(make(greet, [middleware]), postConfirmationEvent())
    await first.invoke()
    first.end()
    const answer = await first.invoke()
    expect(answer).toMatchObject({ Status: 'SUCCEEDED' })
    const other = executionOf(make(greet, [middleware]), postConfirmationEvent(), 'arn:other')
    expect(await other.invoke()).toEqual(answer)
    expect(greeted).toEqual(['ada'])
  })

  it('once() knows its own message and trigger again when the result of its step was lost', async () => {
    const pause = async () => wait('pause', hour)
    const orders = queue({ log: false, onMessage: once({ store: memoryStore() })(pause) })
    const event = queueEvent({ bodies: ['a'] })
    const middleware = onceForTriggers({ store: memoryStore(), triggers: ['PostConfirmation'] })
    const greet = userPool({ PostConfirmation: pause })
    // The second one of each has nothing of what the first one has recorded.
    for (let at = 0; at < 2; at++) {
      expect(await executionOf(make(orders), event).invoke()).toEqual({ Status: 'PENDING' })
      const trigger = executionOf(make(greet, [middleware]), postConfirmationEvent())
      expect(await trigger.invoke()).toEqual({ Status: 'PENDING' })
      expect(trigger.names()).toContain('pause')
    }
  })

  it('once() fails at once, without repeating its step, while another execution has the trigger', async () => {
    const store = memoryStore()
    const greet = userPool({ PostConfirmation: async () => wait('pause', hour) })
    const middleware = (lease: number) => onceForTriggers({ store, triggers: ['PostConfirmation'], lease })
    await executionOf(make(greet, [middleware(60_000)]), postConfirmationEvent()).invoke()
    const other = executionOf(make(greet, [middleware(1)]), postConfirmationEvent(), 'arn:other')
    expect(await other.invoke()).toMatchObject({
      Status: 'FAILED',
      Error: { ErrorType: 'TriggerInProgressError' },
    })
  })

  it('log() does not write a line again', async () => {
    const lines: string[] = []
    const write = (_fields: object, message: string) => void lines.push(message)
    const logger = { trace: write, debug: write, info: write, warn: write, error: write }
    const shop = loadBalancer([
      post('/orders', async (_request, context) => {
        const { info } = log(context, { logger })
        info('before')
        await wait('pause', hour)
        info('after')
        return text('done')
      }),
    ])
    const execution = executionOf(make(shop), httpEvent('POST', '/orders'))
    await execution.invoke()
    execution.end()
    await execution.invoke()
    expect(lines).toEqual(['before', 'after'])
  })
})

it('telemetry() records each invocation of durable(), and a message until its invocation ends', async () => {
  const memory = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: memory })] }),
  )
  const orders = queue({
    onMessage: async ({ body }) => {
      if (body === 'slow') await wait('pause', hour)
    },
  })
  const execution = executionOf(
    durable(signalbox(orders).use(telemetry())),
    queueEvent({ bodies: ['quick', 'slow'] }),
  )
  await execution.invoke()
  execution.end()
  await execution.invoke()
  trace.disable()
  const spans = memory
    .getFinishedSpans()
    .map(({ attributes, status }) => [
      attributes['signalbox.durable.execution'] === undefined ? 'message' : 'invocation',
      attributes['signalbox.durable.replaying'],
      attributes['signalbox.durable.suspended'],
      status.code,
    ])
  expect(spans).toEqual([
    ['message', undefined, undefined, 0],
    ['message', undefined, true, 0],
    ['invocation', false, true, 0],
    ['message', undefined, undefined, 0],
    ['invocation', true, undefined, 0],
  ])
})
