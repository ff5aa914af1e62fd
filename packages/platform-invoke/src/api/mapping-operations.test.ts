import {
  CreateEventSourceMappingCommand,
  type CreateEventSourceMappingCommandInput,
  DeleteEventSourceMappingCommand,
  GetEventSourceMappingCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
  type UpdateEventSourceMappingCommandInput,
} from '@aws-sdk/client-lambda'
import { CreateQueueCommand, DeleteQueueCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { invokePlatform } from '../testing/invoke-platform.ts'

const key = { id: 'SBTEST', secret: 'a-secret-of-enough-length' }
const arnOf = (queue: string) => `arn:aws:sqs:local:000000000000:${queue}`
const functionArn = (name: string) => `arn:aws:lambda:local:000000000000:function:${name}`

/** Starts a platform whose functions note the bodies of the messages that they get. */
async function running(config: object = {}, options: object = {}) {
  const seen: string[] = []
  let waiting: (() => void)[] = []
  let release = () => {}
  const handlerOf = (name: string) => async (event: unknown) => {
    const { Records } = event as { readonly Records: readonly { readonly body: string }[] }
    for (const { body } of Records) seen.push(`${name} ${body}`)
    for (const wake of waiting.splice(0)) wake()
    if (Records.some(({ body }) => body === 'slow')) await new Promise<void>(resolve => (release = resolve))
    return { batchItemFailures: [] }
  }
  const under = await invokePlatform(
    {
      functions: {
        orders: { handler: handlerOf('orders'), timeout: 2.5 },
        rest: { handler: handlerOf('rest'), timeout: 20 },
      },
      queues: {
        orders: { function: 'orders', batchSize: 5, batchWindow: 1, filter: { body: { kind: ['order'] } } },
        idle: {},
        ordered: { function: 'orders' },
        'turns.fifo': {},
      },
      queueListener: { port: 0 },
      ...config,
    } as never,
    options,
  )
  const credentials = { accessKeyId: key.id, secretAccessKey: key.secret }
  const client = new LambdaClient({ region: 'local', endpoint: under.url, maxAttempts: 1, credentials })
  const queuesUrl = under.urlOf('queues')
  const sqs = new SQSClient({ region: 'local', endpoint: queuesUrl, credentials })
  return {
    ...{ client, sqs, seen, notices: under.notices },
    release: () => release(),
    async gets(text: string) {
      while (!seen.includes(text)) await new Promise<void>(resolve => waiting.push(resolve))
    },
    send: (queue: string, MessageBody: string) =>
      sqs.send(new SendMessageCommand({ QueueUrl: `${queuesUrl}/000000000000/${queue}`, MessageBody })),
    deleteQueue: (queue: string) =>
      sqs.send(new DeleteQueueCommand({ QueueUrl: `${queuesUrl}/000000000000/${queue}` })),
    list: async (input: object = {}) =>
      (await client.send(new ListEventSourceMappingsCommand(input))).EventSourceMappings!,
    create: (input: CreateEventSourceMappingCommandInput) =>
      client.send(new CreateEventSourceMappingCommand(input)),
    update: (input: UpdateEventSourceMappingCommandInput) =>
      client.send(new UpdateEventSourceMappingCommand(input)),
    remove: (UUID: string) => client.send(new DeleteEventSourceMappingCommand({ UUID })),
    get: (UUID: string) => client.send(new GetEventSourceMappingCommand({ UUID })),
    async until(UUID: string, state: string) {
      while ((await client.send(new GetEventSourceMappingCommand({ UUID }))).State !== state);
    },
    async [Symbol.asyncDispose]() {
      release()
      client.destroy()
      sqs.destroy()
      await under[Symbol.asyncDispose]()
      waiting = []
    },
  }
}

it('SDKs see the mappings of the configuration, and can only disable and enable them', async () => {
  await using under = await running()
  const [mapping] = await under.list()
  expect(mapping).toMatchObject({
    ...{ EventSourceArn: arnOf('orders'), FunctionArn: functionArn('orders'), BatchSize: 5 },
    MaximumBatchingWindowInSeconds: 1,
    FilterCriteria: { Filters: [{ Pattern: '{"body":{"kind":["order"]}}' }] },
    ...{ FunctionResponseTypes: ['ReportBatchItemFailures'], State: 'Enabled' },
  })
  expect(await under.list({ FunctionName: 'orders', EventSourceArn: arnOf('orders') })).toEqual([mapping])
  expect(await under.list({ FunctionName: 'rest' })).toEqual([])
  const { $metadata: _, ...shown } = await under.get(mapping!.UUID!)
  expect(shown).toEqual(mapping)
  const UUID = (await under.list({ EventSourceArn: arnOf('ordered') }))[0]!.UUID!
  await expect(
    under.create({ FunctionName: 'orders', EventSourceArn: arnOf('ordered') }),
  ).rejects.toMatchObject({
    ...{ name: 'ResourceConflictException', message: expect.stringContaining(UUID) },
  })
  for (const change of [
    () => under.update({ UUID, BatchSize: 1 }),
    () => under.update({ UUID, ScalingConfig: { MaximumConcurrency: 2 } }),
    () => under.remove(UUID),
  ])
    await expect(change()).rejects.toMatchObject({
      ...{
        name: 'InvalidParameterValueException',
        message: expect.stringContaining('change queues.ordered there'),
      },
    })
  // What is as in the configuration is no change.
  expect((await under.update({ UUID, Enabled: false, BatchSize: 10 })).State).toBe('Disabling')
  await under.until(UUID, 'Disabled')
  await under.send('ordered', 'later')
  await under.send('idle', 'none')
  expect(under.seen).toEqual([])
  expect((await under.update({ UUID, Enabled: true })).State).toBe('Enabling')
  await under.gets('orders later')
  await under.until(UUID, 'Enabled')
  await expect(under.get('x')).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
})

it('a client maps a queue to a function, changes the mapping, and deletes it', async () => {
  await using under = await running()
  const created = await under.create({
    ...{ FunctionName: functionArn('orders'), EventSourceArn: arnOf('idle'), BatchSize: 3 },
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    FilterCriteria: { Filters: [{ Pattern: '{"body":["a","slow"]}' }] },
    ScalingConfig: { MaximumConcurrency: 2 },
  })
  expect(created).toMatchObject({ State: 'Creating', FunctionArn: functionArn('orders'), BatchSize: 3 })
  const UUID = created.UUID!
  await under.until(UUID, 'Enabled')
  const { $metadata: _, ...shown } = await under.get(UUID)
  expect(shown).toMatchObject({
    ...{ BatchSize: 3, MaximumBatchingWindowInSeconds: 0, ScalingConfig: { MaximumConcurrency: 2 } },
    FilterCriteria: { Filters: [{ Pattern: '{"body":["a","slow"]}' }] },
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  })
  expect((await under.list({ EventSourceArn: arnOf('idle') })).map(each => each.UUID)).toEqual([UUID])
  await under.send('idle', 'a')
  await under.gets('orders a')

  // While the last batch runs, the change has no effect yet.
  await under.send('idle', 'slow')
  await under.gets('orders slow')
  expect((await under.update({ UUID, Enabled: false })).State).toBe('Disabling')
  expect((await under.get(UUID)).State).toBe('Disabling')
  under.release()
  await under.until(UUID, 'Disabled')

  const updated = await under.update({ UUID, BatchSize: 50, MaximumBatchingWindowInSeconds: 1 })
  expect(updated).toMatchObject({ State: 'Updating', BatchSize: 50, MaximumBatchingWindowInSeconds: 1 })
  await under.update({ UUID, FilterCriteria: {}, Enabled: true })
  await under.send('idle', 'b')
  await under.gets('orders b')
  expect((await under.remove(UUID)).State).toBe('Deleting')
  while ((await under.list({ EventSourceArn: arnOf('idle') })).length > 0);
  await expect(under.get(UUID)).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
})

it('refuses what a queue cannot have, with the reason', async () => {
  await using under = await running()
  const of = (queue: string, more: object = {}, FunctionName = 'orders') =>
    under.create({ FunctionName, EventSourceArn: arnOf(queue), ...more })
  const refused = async (work: Promise<unknown>, message: string, name = 'InvalidParameterValueException') =>
    expect(await work.catch(error => `${error.name}: ${error.message}`)).toContain(`${name}: ${message}`)
  await refused(of('nothing'), 'The queue arn:aws:sqs:local:000000000000:nothing does not exist.')
  await refused(of('idle', {}, 'nobody'), 'Function not found', 'ResourceNotFoundException')
  await refused(of('idle', { EventSourceArn: 'arn:aws:kinesis:a:b:stream/x' }), 'EventSourceArn must be')
  await refused(of('idle', { BatchSize: 11 }), 'MaximumBatchingWindowInSeconds: expected a window')
  await refused(of('turns.fifo', { BatchSize: 11 }), 'BatchSize: expected an integer from 1 to 10')
  await refused(of('idle', { BatchSize: 0 }), 'BatchSize must be an integer from 1 to 10000.')
  await refused(of('idle', { ScalingConfig: { MaximumConcurrency: 1 } }), 'ScalingConfig.MaximumConcurrency')
  await refused(of('idle', { StartingPosition: 'LATEST' }), 'StartingPosition is not supported')
  await refused(of('idle', { FunctionResponseTypes: ['Other'] }), 'FunctionResponseTypes must be')
  await refused(of('idle', { FilterCriteria: { Filters: [{ Pattern: '[' }] } }), 'FilterCriteria.Filters')
  await refused(of('idle', { FilterCriteria: { Filters: [{ Pattern: '{"x":["a"]}' }] } }), 'FilterCriteria')
  await refused(
    of('orders', { MaximumBatchingWindowInSeconds: 2 }, 'rest'),
    'MaximumBatchingWindowInSeconds: all',
  )
  const Attributes = { VisibilityTimeout: '10' }
  await under.sqs.send(new CreateQueueCommand({ QueueName: 'short', Attributes }))
  await refused(of('short', {}, 'rest'), 'The visibility timeout of the queue: expected at least 20 seconds')
  const { UUID } = await of('idle')
  await refused(under.update({ UUID, FunctionName: 'rest' }), 'FunctionName cannot change')
})

it('mappings end with their queue, and stay when the platform starts again', async () => {
  using folder = temporaryFolder()
  const config = { dataDir: folder.path }
  let UUID = ''
  {
    await using under = await running(config)
    UUID = (await under.create({ FunctionName: 'rest', EventSourceArn: arnOf('idle') })).UUID!
    await under.sqs.send(new CreateQueueCommand({ QueueName: 'own' }))
    await under.create({ FunctionName: 'rest', EventSourceArn: arnOf('own') })
    await under.send('own', 'first')
    await under.gets('rest first')
    await under.deleteQueue('own')
    expect(await under.list({ EventSourceArn: arnOf('own') })).toEqual([])
  }
  await using under = await running(config)
  expect((await under.get(UUID)).State).toBe('Enabled')
  await under.send('idle', 'again')
  await under.gets('rest again')
})

it('a platform says at its start that a client has paused a function of the configuration', async () => {
  using folder = temporaryFolder()
  const config = { dataDir: folder.path }
  {
    await using under = await running(config)
    const [{ UUID }] = (await under.list({ EventSourceArn: arnOf('ordered') })) as [{ UUID: string }]
    await under.update({ UUID, Enabled: false })
    expect(under.notices).toEqual([])
  }
  await using under = await running(config)
  expect(under.notices).toEqual([
    'A client of the Invoke API has paused orders: it gets no messages of the queue ordered until a client enables the mapping.',
  ])
})

it('a mapping of a client has no effect on a queue with an execution for each message', async () => {
  using folder = temporaryFolder()
  const config = { dataDir: folder.path }
  let UUID = ''
  {
    await using under = await running(config)
    UUID = (await under.create({ FunctionName: 'rest', EventSourceArn: arnOf('idle') })).UUID!
  }
  const functions = {
    orders: { handler: () => ({ Status: 'SUCCEEDED' }), durable: { timeout: 60 } },
    rest: { handler: () => null },
  }
  const queues = { idle: { function: 'orders', executionPerMessage: {} } }
  await using under = await running({ ...config, functions, queues })
  expect((await under.get(UUID)).State).toBe('Disabled')
  expect(under.notices).toEqual([
    'A client of the Invoke API has mapped rest to the queue idle. The mapping has no effect, because the configuration starts an execution for each message.',
  ])
})

it('messages of a mapping stay hidden for as long as its function may run', async () => {
  using folder = temporaryFolder()
  const config = { dataDir: folder.path }
  {
    await using under = await running(config)
    await under.create({ FunctionName: 'rest', EventSourceArn: arnOf('idle') })
  }
  const clock = manualClock(1_900_000_000_000)
  const got: string[] = []
  const handler = async (event: unknown) => {
    const { Records } = event as { readonly Records: readonly { readonly body: string }[] }
    got.push(...Records.map(({ body }) => body))
    await new Promise<void>(resolve => clock.after(100_000, resolve))
    return { batchItemFailures: [] }
  }
  const functions = { orders: { handler: () => null }, rest: { handler, timeout: 120, instances: 2 } }
  await using under = await running({ ...config, functions, queues: { idle: {} } }, { clock })
  await under.send('idle', 'long')
  const rest = async () => {
    for (let turn = 0; turn < 50; turn++) {
      await new Promise(resolve => setTimeout(resolve, 2))
      await clock.advance(0)
    }
  }
  await rest()
  for (let second = 0; second < 90; second += 30) {
    await clock.advance(30_000)
    await rest()
  }
  expect(got).toEqual(['long'])
  const stopping = clock.advance(200_000)
  await stopping
})

it('with access, a client needs the rights to invoke the function and to administer the queue', async () => {
  const rights = (functions: object, queues: object) => ({
    access: { identities: { tool: { keys: [key], rights: { functions, queues } } } },
  })
  const wanted = { FunctionName: 'rest', EventSourceArn: arnOf('idle') }
  for (const [access, message] of [
    [rights({ read: ['*'] }, { administer: ['*'] }), 'no right to invoke it'],
    [rights({ invoke: ['*'], read: ['*'] }, { receive: ['*'] }), 'no right to administer the queue idle'],
  ] as const) {
    await using under = await running(access)
    await expect(under.create(wanted)).rejects.toMatchObject({
      ...{ name: 'AccessDeniedException', message: expect.stringContaining(message) },
    })
  }
  await using under = await running(rights({ invoke: ['rest'] }, { administer: ['idle'] }))
  expect((await under.create(wanted)).State).toBe('Creating')
})
