import { setImmediate as turn } from 'node:timers/promises'
import {
  GetDurableExecutionCommand,
  GetDurableExecutionHistoryCommand,
  InvokeCommand,
  LambdaClient,
  SendDurableExecutionCallbackSuccessCommand,
} from '@aws-sdk/client-lambda'
import { expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { callback, durable, step } from '@signalbox/core/durable'
import { createPlatform } from '@signalbox/platform'
import { queue } from '@signalbox/queue'
import { queueEvent } from '@signalbox/queue/testing'

it('runs a durable function of a family, with the unmodified SDK and stock clients', async () => {
  let endpoint = ''
  const client = new LambdaClient({
    region: 'local',
    endpoint: async () => {
      const { protocol, hostname, port } = new URL(endpoint)
      return { protocol, hostname, port: Number(port), path: '/' }
    },
    credentials: { accessKeyId: 'AKIATEST', secretAccessKey: 'none' },
  })
  const done: string[] = []
  const handler = durable(
    signalbox(
      queue({
        onMessage: async ({ body }) => {
          const reserved = await step('reserve', () => `reserved ${body}`)
          const answer = await callback('approval', () => {})
          await step('ship', () => void done.push(`${reserved}: ${answer}`))
        },
      }),
    ),
    { client },
  )
  const platform = createPlatform(
    {
      functions: { orders: { handler: handler as never, durable: { timeout: 3600 } } },
      invoke: { port: 0 },
      control: { port: 0 },
      dataDir: ':memory:',
    },
    { onNotice() {} },
  )
  const addresses = await platform.start()
  endpoint = addresses.find(({ source }) => source === 'invoke')!.url
  try {
    const { DurableExecutionArn } = await client.send(
      new InvokeCommand({
        FunctionName: 'orders',
        InvocationType: 'Event',
        Payload: JSON.stringify(queueEvent({ bodies: ['a', 'b'] })),
      }),
    )
    const events = async () => {
      const history = new GetDurableExecutionHistoryCommand({
        DurableExecutionArn,
        IncludeExecutionData: true,
      })
      return (await client.send(history)).Events!
    }
    const open = async () =>
      (await events()).flatMap(({ CallbackStartedDetails }) => CallbackStartedDetails?.CallbackId ?? [])
    while ((await open()).length < 2) await turn()
    for (const CallbackId of await open())
      await client.send(
        new SendDurableExecutionCallbackSuccessCommand({ CallbackId, Result: Buffer.from('yes') }),
      )
    const state = () => client.send(new GetDurableExecutionCommand({ DurableExecutionArn }))
    while ((await state()).Status === 'RUNNING') await turn()
    expect(await state()).toMatchObject({ Status: 'SUCCEEDED', Result: '{"batchItemFailures":[]}' })
    expect(done.toSorted()).toEqual(['reserved a: yes', 'reserved b: yes'])
  } finally {
    client.destroy()
    await platform.stop()
  }
})
