import { setTimeout as delay } from 'node:timers/promises'
import {
  GetDurableExecutionCommand,
  GetDurableExecutionHistoryCommand,
  InvokeCommand,
  LambdaClient,
  SendDurableExecutionCallbackSuccessCommand,
} from '@aws-sdk/client-lambda'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { createPlatform } from '@signalbox/platform'
import { queueEvent } from '@signalbox/queue/testing'
import { payments } from './handler.ts'

const day = 24 * 60 * 60_000

/** Starts a platform whose clock the test moves, with the function `payments`. */
async function running() {
  const clock = manualClock(1_900_000_000_000)
  const asked: { order: string; callbackId: string }[] = []
  const done: string[] = []
  let endpoint = ''
  const client = new LambdaClient({
    region: 'local',
    endpoint: async () => {
      const { protocol, hostname, port } = new URL(endpoint)
      return { protocol, hostname, port: Number(port), path: '/' }
    },
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
  const handler = payments(
    {
      reserve: async order => {
        done.push(`reserve ${order}`)
        return `place of ${order}`
      },
      requestPayment: async (order, callbackId) => void asked.push({ order, callbackId }),
      ship: async reservation => void done.push(`ship ${reservation}`),
      mail: async (to, text) => void done.push(`${to}: ${text}`),
    },
    { client },
  )
  const platform = createPlatform(
    {
      functions: { payments: { handler: handler as never, durable: { timeout: 10 * 24 * 3600 } } },
      invoke: { port: 0 },
      control: { port: 0 },
      dataDir: ':memory:',
    },
    { clock, onNotice() {} },
  )
  const addresses = await platform.start()
  endpoint = addresses.find(({ source }) => source === 'invoke')!.url
  const body = JSON.stringify({ id: '17', email: 'ann@shop.example' })
  const { DurableExecutionArn } = await client.send(
    new InvokeCommand({
      ...{ FunctionName: 'payments', InvocationType: 'Event', DurableExecutionName: 'order-17' },
      Payload: JSON.stringify(queueEvent({ bodies: [body] })),
    }),
  )
  /** Lets real time pass until a condition holds, while the platform's clock stands still. */
  const until = async (isReached: () => boolean | Promise<boolean>) => {
    for (let look = 0; look < 2000 && !(await isReached()); look++) await delay(5)
    expect(await isReached()).toBe(true)
  }
  return {
    clock,
    asked,
    done,
    until,
    /** Returns whether the order waits for its delivery, and no invocation runs. */
    async rests() {
      const { Events = [] } = await client.send(
        new GetDurableExecutionHistoryCommand({ DurableExecutionArn }),
      )
      return (
        Events.some(({ Name, EventType }) => Name === 'delivery' && EventType === 'WaitStarted') &&
        Events.at(-1)!.EventType === 'InvocationCompleted'
      )
    },
    hasEnded: async () =>
      (await client.send(new GetDurableExecutionCommand({ DurableExecutionArn }))).Status === 'SUCCEEDED',
    answer: (result: string) =>
      client.send(
        new SendDurableExecutionCallbackSuccessCommand({
          CallbackId: asked[0]!.callbackId,
          Result: Buffer.from(result),
        }),
      ),
    async [Symbol.asyncDispose]() {
      client.destroy()
      await platform.stop()
    },
  }
}

it('a paid order is shipped, and its customer is asked three days later', async () => {
  await using shop = await running()
  await shop.until(() => shop.asked.length === 1)
  await shop.answer('paid')
  await shop.until(() => shop.done.length === 2)
  expect(shop.done).toEqual(['reserve 17', 'ship place of 17'])
  await shop.until(shop.rests)
  await shop.clock.advance(3 * day)
  await shop.until(shop.hasEnded)
  expect(shop.done.slice(2)).toEqual(['ann@shop.example: How was your order 17?'])
})

it('an order that is not paid is not shipped', async () => {
  await using shop = await running()
  await shop.until(() => shop.asked.length === 1)
  await shop.answer('refused')
  await shop.until(shop.hasEnded)
  expect(shop.done).toEqual(['reserve 17'])
})
