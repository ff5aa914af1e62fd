import {
  CreateEventSourceMappingCommand,
  DeleteEventSourceMappingCommand,
  GetEventSourceMappingCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { expect, it } from '@jest/globals'
import { createPlatform } from '@signalbox/platform'
import { testServer } from '@signalbox/platform-postgres/testing/server-suite'

const database = testServer()
const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'none' }
const EventSourceArn = 'arn:aws:sqs:local:000000000000:orders'

/** Starts a platform whose function notes the messages that it gets. */
async function startPlatform() {
  const seen: string[] = []
  let wake = () => {}
  const platform = createPlatform(
    {
      functions: {
        note: {
          async handler(event: unknown) {
            const { Records } = event as { readonly Records: readonly { readonly body: string }[] }
            seen.push(...Records.map(({ body }) => body))
            wake()
            return { batchItemFailures: [] }
          },
          timeout: 5,
        },
      },
      queues: { orders: {} },
      queueListener: { port: 0 },
      storage: { postgres: { url: database.server.url, schema: 'mappings' } },
      invoke: { port: 0 },
      dataDir: ':memory:',
      grace: 1,
    },
    { onNotice: () => {} },
  )
  const addresses = await platform.start()
  const urlOf = (name: string) => addresses.find(({ source }) => source === name)!.url
  const client = new LambdaClient({ region: 'local', endpoint: urlOf('invoke'), credentials })
  const sqs = new SQSClient({ region: 'local', endpoint: urlOf('queues'), credentials })
  return {
    ...{ client, seen },
    async sees(text: string) {
      while (!seen.includes(text)) await new Promise<void>(resolve => (wake = resolve))
    },
    send: (MessageBody: string) =>
      sqs.send(new SendMessageCommand({ QueueUrl: `${urlOf('queues')}/000000000000/orders`, MessageBody })),
    async until(UUID: string, state: string | undefined) {
      const stateOf = () =>
        client.send(new GetEventSourceMappingCommand({ UUID })).then(
          ({ State }) => State,
          () => undefined,
        )
      while ((await stateOf()) !== state);
    },
    async stop() {
      await platform.stop()
      client.destroy()
      sqs.destroy()
    },
  }
}

it('a mapping that a client creates at one platform is that of all on the database', async () => {
  const one = await startPlatform()
  const other = await startPlatform()
  const { UUID } = await one.client.send(
    new CreateEventSourceMappingCommand({ FunctionName: 'note', EventSourceArn, BatchSize: 1 }),
  )
  await other.until(UUID!, 'Enabled')
  await one.stop()
  await other.send('first')
  // Only the platform that did not get the request runs.
  await other.sees('first')
  await other.client.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: false }))
  const third = await startPlatform()
  await third.until(UUID!, 'Disabled')
  await third.client.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: true }))
  await other.until(UUID!, 'Enabled')
  await third.client.send(new DeleteEventSourceMappingCommand({ UUID }))
  await other.until(UUID!, undefined)
  // At the platform that was asked, it may still be ending.
  await third.until(UUID!, undefined)
  expect((await third.client.send(new ListEventSourceMappingsCommand({}))).EventSourceMappings).toEqual([])
  await other.stop()
  await third.stop()
}, 60_000)
