import { ListDurableExecutionsByFunctionCommand } from '@aws-sdk/client-lambda'
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { expect, it } from '@jest/globals'
import { checkpoints, type DurableEvent, durablePlatform } from '../testing/durable-platform.ts'
import { done, pending, script, untilFound, wait } from '../testing/scripted-function.ts'

it('an execution calls functions with and without executions, and learns how they ended', async () => {
  const { order } = script(
    async (event, client) => {
      const call = (Id: string, FunctionName: string) =>
        ({
          ...({ Id, Name: Id, Type: 'CHAINED_INVOKE', Action: 'START', Payload: '{"n":1}' } as const),
          ChainedInvokeOptions: { FunctionName },
        }) as const
      await checkpoints(event, client)(
        ...[
          call('plain', 'echo'),
          call('throwing', 'arn:aws:lambda:local:000000000000:function:bad:$LATEST'),
        ],
        ...[call('lasting', 'lasting'), call('missing', 'nobody')],
      )
      return pending
    },
    ...Array.from({ length: 4 }, () => (event: DurableEvent) => {
      const open = event.InitialExecutionState.Operations.filter(({ Status }) => Status === 'STARTED')
      return open.length > 1 ? pending : done(JSON.stringify(event.InitialExecutionState.Operations.slice(1)))
    }),
  )
  const functions = {
    echo: { handler: async (event: unknown) => event },
    bad: {
      handler: async () => {
        throw new TypeError('out of stock')
      },
    },
    lasting: { handler: async () => done('"from an execution"'), durable: { timeout: 60 } },
  }
  await using under = await durablePlatform(order, { config: { functions } })
  const arn = await under.start({})
  await under.until(async () => {
    await under.clock.advance(100)
    return (await under.shown(arn)).Status !== 'RUNNING'
  })
  const { Result, Events } = await under.shown(arn)
  expect(JSON.parse(Result!)).toMatchObject([
    { Id: 'plain', Status: 'SUCCEEDED', ChainedInvokeDetails: { Result: '{"n":1}' } },
    {
      ...{ Id: 'throwing', Status: 'FAILED' },
      ChainedInvokeDetails: { Error: { ErrorType: 'TypeError', ErrorMessage: 'out of stock' } },
    },
    { Id: 'lasting', Status: 'SUCCEEDED', ChainedInvokeDetails: { Result: '"from an execution"' } },
    {
      ...{ Id: 'missing', Status: 'FAILED' },
      ChainedInvokeDetails: { Error: { ErrorType: 'ResourceNotFoundException' } },
    },
  ])
  const started = Events.find(
    ({ Name, EventType }) => Name === 'lasting' && EventType === 'ChainedInvokeStarted',
  )
  expect(started!.ChainedInvokeStartedDetails).toMatchObject({
    ...{ FunctionName: 'lasting', ExecutedVersion: '$LATEST', Input: { Payload: '{"n":1}' } },
    DurableExecutionArn: expect.stringContaining('function:lasting:$LATEST/durable-execution/'),
  })
})

it('an invocation that fails is repeated after growing pauses, and the execution fails after nine of them', async () => {
  let invocations = 0
  const order = async () => {
    invocations++
    throw new RangeError('too small')
  }
  await using under = await durablePlatform(order)
  const arn = await under.start({})
  await under.until(() => invocations === 1)
  await under.until(async () => {
    await under.clock.advance(300_000)
    return (await under.shown(arn)).Status !== 'RUNNING'
  })
  expect(invocations).toBe(10)
  const { Status, Error: error, types, Events } = await under.shown(arn)
  expect({ Status, error }).toMatchObject({ Status: 'FAILED', error: { ErrorType: 'RangeError' } })
  expect(types.filter(type => type === 'InvocationCompleted')).toHaveLength(10)
  expect(Events[1]!.InvocationCompletedDetails!.Error!.Payload).toMatchObject({ ErrorMessage: 'too small' })
})

it('a queue waits for the execution that its batch starts, and keeps what failed', async () => {
  const got: unknown[] = []
  const { order } = script(
    async (event, client) => {
      await checkpoints(event, client)(wait('rest', 60))
      return pending
    },
    event => {
      const [first] = event.InitialExecutionState.Operations
      const { Records } = JSON.parse(
        (first as unknown as { ExecutionDetails: { InputPayload: string } }).ExecutionDetails.InputPayload,
      ) as { readonly Records: readonly { readonly messageId: string; readonly body: string }[] }
      got.push(...Records.map(({ body }) => body))
      const failed = Records.filter(({ body }) => body === 'bad')
      return done(
        JSON.stringify({ batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) }),
      )
    },
  )
  await using under = await durablePlatform(order, {
    config: {
      queues: { orders: { function: 'order', batchSize: 10, batchWindow: 1, visibilityTimeout: 300 } },
      queueListener: { port: 0 },
    } as never,
  })
  const sqs = new SQSClient({
    ...{ region: 'local', endpoint: under.urlOf('queues') },
    credentials: { accessKeyId: 'AKIATEST', secretAccessKey: 'none' },
  })
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: 'orders' }))
  const Entries = ['good', 'bad'].map(body => ({ Id: body, MessageBody: body }))
  await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }))
  const [execution] = await untilFound(async () => {
    await under.clock.advance(1000)
    const { DurableExecutions } = await under.lambda.send(
      new ListDurableExecutionsByFunctionCommand({ FunctionName: 'order' }),
    )
    return DurableExecutions!
  })
  await under.until(async () => (await under.shown(execution!.DurableExecutionArn!)).types.length === 3)
  expect(got).toEqual([])
  await under.clock.advance(60_000)
  await under.until(() => got.length === 2)
  await under.until(async () => {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    )
    return (
      Attributes!.ApproximateNumberOfMessages === '0' &&
      Attributes!.ApproximateNumberOfMessagesNotVisible === '1'
    )
  })
  sqs.destroy()
})

it('a called function gets a request id that runtimes can put into a URL', async () => {
  const { order } = script(
    async (event, client) => {
      await checkpoints(
        event,
        client,
      )({
        ...{ Id: 'a/b%20"', Type: 'CHAINED_INVOKE', Action: 'START', Payload: '1' },
        ChainedInvokeOptions: { FunctionName: 'echo' },
      })
      return pending
    },
    event => {
      const [, call] = event.InitialExecutionState.Operations
      return done(
        (call as unknown as { ChainedInvokeDetails: { Result: string } }).ChainedInvokeDetails.Result,
      )
    },
  )
  const echo = { handler: async (_: unknown, { requestId }: { requestId?: string }) => requestId }
  await using under = await durablePlatform(order, { config: { functions: { echo } } as never })
  const arn = await under.start({})
  await under.until(async () => {
    await under.clock.advance(100)
    return (await under.shown(arn)).Status === 'SUCCEEDED'
  })
  expect((await under.shown(arn)).Result).toMatch(/^"[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}"$/)
})
