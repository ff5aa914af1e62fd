import {
  CheckpointDurableExecutionCommand,
  GetDurableExecutionCommand,
  GetDurableExecutionHistoryCommand,
  InvokeCommand,
  ListDurableExecutionsByFunctionCommand,
  SendDurableExecutionCallbackFailureCommand,
  SendDurableExecutionCallbackHeartbeatCommand,
  SendDurableExecutionCallbackSuccessCommand,
  StopDurableExecutionCommand,
} from '@aws-sdk/client-lambda'
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { expect, it } from '@jest/globals'
import { checkpoints, type DurableEvent, durablePlatform } from '../testing/durable-platform.ts'

const done = (Result = '"done"') => ({ Status: 'SUCCEEDED', Result })
const pending = { Status: 'PENDING' }

/** Returns a function that does one of these things in each invocation, and the events that it got. */
function script(...acts: ((event: DurableEvent, client: never) => Promise<object> | object)[]) {
  const events: DurableEvent[] = []
  const order = async (event: DurableEvent, client: unknown) => {
    events.push(event)
    return (await acts[events.length - 1]!(event, client as never)) as never
  }
  return { events, order }
}

const wait = (Id: string, WaitSeconds: number) =>
  ({ Id, Type: 'WAIT', Action: 'START', Name: Id, WaitOptions: { WaitSeconds } }) as const

it('an execution waits without running, and continues when its wait is over', async () => {
  const { events, order } = script(
    async (event, client) => {
      const { NewExecutionState } = await checkpoints(event, client)(wait('rest', 86_400))
      expect(NewExecutionState!.Operations).toMatchObject([{ Id: 'rest', Status: 'STARTED' }])
      return pending
    },
    () => done(),
  )
  await using under = await durablePlatform(order, { config: { functions: {} } })
  const arn = await under.start({ for: 'Ada' }, { DurableExecutionName: 'one' })
  expect(arn).toMatch(
    /^arn:aws:lambda:local:\d{12}:function:order:\$LATEST\/durable-execution\/one\/[\w-]{36}$/,
  )
  await under.until(async () => (await under.shown(arn)).types.length === 3)
  await under.clock.advance(3_599_000)
  expect(events).toHaveLength(1)
  // The execution times out after an hour.
  await under.clock.advance(1000)
  await under.until(async () => (await under.shown(arn)).Status === 'TIMED_OUT')
  expect((await under.shown(arn)).types).toEqual([
    'ExecutionStarted one',
    'WaitStarted rest',
    'InvocationCompleted',
    'ExecutionTimedOut one',
  ])
})

it('a function gets its input, and what was changed while it did not run', async () => {
  const { events, order } = script(
    async (event, client) => {
      await checkpoints(event, client)(wait('rest', 60), wait('longer', 61))
      return pending
    },
    () => pending,
    () => done(),
  )
  await using under = await durablePlatform(order)
  const arn = await under.start({ for: 'Ada' })
  await under.until(async () => (await under.shown(arn)).types.length === 4)
  expect(events[0]).toMatchObject({
    DurableExecutionArn: arn,
    InitialExecutionState: {
      Operations: [
        { Type: 'EXECUTION', Status: 'STARTED', ExecutionDetails: { InputPayload: '{"for":"Ada"}' } },
      ],
      NextMarker: '',
    },
    UpdatedOperationIds: [],
  })
  await under.clock.advance(60_000)
  await under.until(() => events.length === 2)
  expect(events[1]!.UpdatedOperationIds).toEqual(['rest'])
  expect(events[1]!.InitialExecutionState.Operations).toMatchObject([
    { Type: 'EXECUTION' },
    { Id: 'rest', Status: 'SUCCEEDED', StartTimestamp: 1_900_000_000_000, EndTimestamp: 1_900_000_060_000 },
    { Id: 'longer', Status: 'STARTED', WaitDetails: { ScheduledEndTimestamp: 1_900_000_061_000 } },
  ])
  await under.until(async () => (await under.shown(arn)).types.length === 6)
  await under.clock.advance(1000)
  await under.until(async () => (await under.shown(arn)).Status === 'SUCCEEDED')
  expect(await under.shown(arn)).toMatchObject({ InputPayload: '{"for":"Ada"}', Result: '"done"' })
})

it('the same name and input are the same execution, and another input is refused', async () => {
  const { events, order } = script(() => done('"first"'))
  await using under = await durablePlatform(order, {})
  const invoke = (Payload: string, InvocationType: 'Event' | 'RequestResponse' = 'Event') =>
    under.lambda.send(
      new InvokeCommand({ FunctionName: 'order', DurableExecutionName: 'one', Payload, InvocationType }),
    )
  const { DurableExecutionArn } = await invoke('{"a":1}')
  await under.until(async () => (await under.shown(DurableExecutionArn!)).Status === 'SUCCEEDED')
  expect(await invoke('{"a":1}')).toMatchObject({ DurableExecutionArn, StatusCode: 202 })
  await expect(invoke('{"a":2}')).rejects.toMatchObject({
    name: 'DurableExecutionAlreadyStartedException',
    $metadata: { httpStatusCode: 409 },
  })
  await expect(
    under.lambda.send(new InvokeCommand({ FunctionName: 'order', Payload: '{}' })),
  ).rejects.toThrow('greater than 15 minutes')
  expect(events).toHaveLength(1)
})

it('a client that waits gets the result, or the error, of the execution', async () => {
  const short = { durable: { timeout: 60 } }
  const functions = {
    right: { ...short, handler: async () => done('{"total":3}') },
    wrong: {
      ...short,
      handler: async () => ({ Status: 'FAILED', Error: { ErrorType: 'Empty', ErrorMessage: 'no order' } }),
    },
    odd: { ...short, handler: async () => 'hello' },
    idle: { ...short, handler: async () => pending },
  }
  await using under = await durablePlatform(async () => null, { config: { functions } })
  const invoke = async (FunctionName: string) => {
    const { Payload, ...rest } = await under.lambda.send(new InvokeCommand({ FunctionName }))
    return { ...rest, payload: JSON.parse(Buffer.from(Payload!).toString()) as unknown }
  }
  expect(await invoke('right')).toMatchObject({ StatusCode: 200, payload: { total: 3 } })
  expect((await invoke('right')).FunctionError).toBeUndefined()
  expect(await invoke('wrong')).toMatchObject({
    ...{ FunctionError: 'Unhandled', payload: { errorType: 'Empty', errorMessage: 'no order' } },
    DurableExecutionArn: expect.stringContaining(':function:wrong:$LATEST/durable-execution/'),
  })
  expect((await invoke('odd')).payload).toMatchObject({
    errorMessage: expect.stringContaining('must return Status'),
  })
  expect((await invoke('idle')).payload).toMatchObject({
    errorMessage: 'Cannot return PENDING status with no pending operations.',
  })
})

it('a token is used up by its checkpoint, and a repeated checkpoint gets the same answer', async () => {
  const refusals: unknown[] = []
  const { order } = script(async event => {
    const { DurableExecutionArn, CheckpointToken } = event
    const send = (token: string, Id: string, Action: 'START' | 'SUCCEED' = 'START') =>
      under.lambda.send(
        new CheckpointDurableExecutionCommand({
          ...{ DurableExecutionArn, CheckpointToken: token, Updates: [{ Id, Type: 'STEP', Action }] },
          ClientToken: Id,
        }),
      )
    const first = await send(CheckpointToken, 'a')
    expect(await send(CheckpointToken, 'a')).toMatchObject({
      CheckpointToken: first.CheckpointToken,
      NewExecutionState: first.NewExecutionState,
    })
    for (const [token, id] of [
      [CheckpointToken, 'b'],
      ['forged', 'b'],
    ] as const)
      refusals.push(await send(token, id).catch((error: unknown) => error))
    await send(first.CheckpointToken!, 'a', 'SUCCEED')
    return done()
  })
  await using under = await durablePlatform(order)
  const arn = await under.start({})
  await under.until(async () => (await under.shown(arn)).types.includes('InvocationCompleted'))
  expect((await under.shown(arn)).types.map(type => type!.split(' ')[0])).toEqual([
    ...['ExecutionStarted', 'StepStarted', 'StepSucceeded', 'InvocationCompleted', 'ExecutionSucceeded'],
  ])
  for (const refusal of refusals)
    expect(refusal).toMatchObject({
      name: 'InvalidParameterValueException',
      message: 'Invalid checkpoint token',
    })
})

it('updates are made all or not at all, and each impossible one is refused in words', async () => {
  const step = (Action: string, more: object = {}) => ({ Id: 's', Type: 'STEP', Action, ...more })
  const cases: readonly (readonly [string, readonly object[]])[] = [
    ['Invalid action for the given operation type.', [{ Id: 'w', Type: 'WAIT', Action: 'SUCCEED' }]],
    ['Invalid parent operation id.', [step('START', { ParentId: 'nobody' })]],
    ['twice in a single request', [step('START'), step('START')]],
    ['WaitSeconds must be whole seconds', [wait('w', 0)]],
    ['WaitSeconds must be whole seconds', [wait('w', 31_622_401)]],
    [
      'EXECUTION checkpoint must be the last',
      [{ Id: 'e', Type: 'EXECUTION', Action: 'FAIL' }, step('START')],
    ],
    ['Cannot provide a Payload for FAIL', [step('FAIL', { Payload: '1' })]],
    ['Cannot provide an Error for SUCCEED', [step('SUCCEED', { Error: {} })]],
    ['Invalid StepOptions', [step('RETRY')]],
    ['Cannot cancel a CALLBACK', [{ Id: 'c', Type: 'CALLBACK', Action: 'CANCEL' }]],
    ['Payload must have at most 262144 bytes', [step('SUCCEED', { Payload: 'ü'.repeat(131_073) })]],
    ['Error object size', [step('FAIL', { Error: { ErrorData: 'x'.repeat(33_000) } })]],
    ['printable ASCII', [step('START', { Name: 'ü' })]],
    ['an Id of 1 to 64 printable', [{ ...step('START'), Id: '' }]],
    ['/Updates/1: an operation', [step('START'), { ...step('START'), Id: 'x'.repeat(65) }]],
    ['/Updates/0/Type', [{ Id: 'x', Type: 'NAP', Action: 'START' }]],
    ['at most 250 updates', Array.from({ length: 251 }, (_, at) => ({ ...step('START'), Id: `s${at}` }))],
    [
      'is a STEP, not a CONTEXT',
      [
        step('START'),
        { Id: 'other', Type: 'STEP', Action: 'START' },
        { ...step('SUCCEED'), Type: 'CONTEXT' },
      ],
    ],
  ]
  const answers: string[] = []
  const { order } = script(async ({ DurableExecutionArn, CheckpointToken }) => {
    for (const [, Updates] of cases) {
      const attempt = under.lambda.send(
        new CheckpointDurableExecutionCommand({
          ...{ DurableExecutionArn, CheckpointToken, Updates: Updates as never },
        }),
      )
      answers.push(
        await attempt.then(
          () => 'accepted',
          (error: Error) => error.message,
        ),
      )
    }
    return done()
  })
  await using under = await durablePlatform(order)
  const arn = await under.start({})
  await under.until(async () => (await under.shown(arn)).Status !== 'RUNNING')
  expect(answers.map((answer, at) => (answer.includes(cases[at]![0]) ? cases[at]![0] : answer))).toEqual(
    cases.map(([expected]) => expected),
  )
  expect((await under.shown(arn)).Events).toHaveLength(3)
})

it('callbacks end with a result, with an error, by their time-out or by a missing heartbeat', async () => {
  const ids: { [name: string]: string } = {}
  const { events, order } = script(
    async (event, client) => {
      const { NewExecutionState } = await checkpoints(
        event,
        client,
      )(
        ...['right', 'wrong', 'late', 'beating'].map(Id => ({
          ...({ Id, Type: 'CALLBACK', Action: 'START', Name: Id } as const),
          CallbackOptions: Id === 'beating' ? { HeartbeatTimeoutSeconds: 10 } : { TimeoutSeconds: 30 },
        })),
      )
      for (const { Id, CallbackDetails } of NewExecutionState!.Operations!)
        ids[Id!] = CallbackDetails!.CallbackId!
      return pending
    },
    ...Array.from({ length: 3 }, () => () => pending),
    () => done(),
  )
  await using under = await durablePlatform(order)
  const arn = await under.start({})
  const CallbackId = (name: string) => ({ CallbackId: ids[name]! })
  await under.until(async () => (await under.shown(arn)).types.length === 6)
  await under.clock.advance(9000)
  await under.lambda.send(new SendDurableExecutionCallbackHeartbeatCommand(CallbackId('beating')))
  await expect(
    under.lambda.send(new SendDurableExecutionCallbackHeartbeatCommand(CallbackId('late'))),
  ).rejects.toThrow('has no heartbeat')
  await under.clock.advance(9000)
  await under.lambda.send(
    new SendDurableExecutionCallbackSuccessCommand({ ...CallbackId('right'), Result: Buffer.from('"paid"') }),
  )
  await under.until(() => events.length === 2)
  await under.lambda.send(
    new SendDurableExecutionCallbackFailureCommand({
      ...CallbackId('wrong'),
      Error: { ErrorType: 'Refused' },
    }),
  )
  await expect(
    under.lambda.send(new SendDurableExecutionCallbackSuccessCommand(CallbackId('wrong'))),
  ).rejects.toMatchObject({ name: 'CallbackTimeoutException' })
  await under.until(() => events.length === 3)
  await under.clock.advance(1000)
  await under.until(() => events.length === 4)
  await under.clock.advance(11_000)
  await under.until(async () => (await under.shown(arn)).Status === 'SUCCEEDED')
  const { Events } = await under.shown(arn)
  expect(Events.filter(({ Name }) => Name !== undefined && Name in ids).slice(4)).toMatchObject([
    {
      EventType: 'CallbackSucceeded',
      Name: 'right',
      CallbackSucceededDetails: { Result: { Payload: '"paid"' } },
    },
    {
      EventType: 'CallbackFailed',
      Name: 'wrong',
      CallbackFailedDetails: { Error: { Payload: { ErrorType: 'Refused' } } },
    },
    {
      ...{ EventType: 'CallbackTimedOut', Name: 'beating' },
      CallbackTimedOutDetails: { Error: { Payload: { ErrorType: 'Callback.Heartbeat' } } },
    },
    {
      ...{ EventType: 'CallbackTimedOut', Name: 'late' },
      CallbackTimedOutDetails: { Error: { Payload: { ErrorType: 'Callback.Timeout' } } },
    },
  ])
  for (const forged of ['nonsense', Buffer.from('["a","b","c"]').toString('base64'), `${ids.late}x`])
    await expect(
      under.lambda.send(new SendDurableExecutionCallbackSuccessCommand({ CallbackId: forged })),
    ).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
})

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

it('an execution can be stopped while its function runs, whose answer then has no effect', async () => {
  let isRunning = false
  let release = () => {}
  const order = async (event: DurableEvent, client: never) => {
    isRunning = true
    await new Promise<void>(resolve => {
      release = resolve
    })
    const late = await checkpoints(event, client)(wait('rest', 1)).catch((error: Error) => error.message)
    return done(JSON.stringify(late))
  }
  await using under = await durablePlatform(order as never)
  const arn = await under.start({})
  await under.until(() => isRunning)
  const stop = { DurableExecutionArn: arn, Error: { ErrorMessage: 'no longer wanted' } }
  const { StopTimestamp } = await under.lambda.send(new StopDurableExecutionCommand(stop))
  expect(StopTimestamp!.getTime()).toBe(1_900_000_000_000)
  release()
  await under.until(async () => (await under.shown(arn)).types.length === 3)
  const { Status, Error: error, Result, types } = await under.shown(arn)
  expect({ Status, error, Result }).toEqual({
    ...{ Status: 'STOPPED', error: { ErrorMessage: 'no longer wanted' }, Result: undefined },
  })
  expect(types.map(type => type!.split(' ')[0])).toEqual([
    ...['ExecutionStarted', 'ExecutionStopped', 'InvocationCompleted'],
  ])
})

it('executions are listed, and are forgotten after their retention', async () => {
  const order = async ({ InitialExecutionState }: DurableEvent) =>
    JSON.stringify(InitialExecutionState).includes('fail') ? { Status: 'FAILED' } : done()
  await using under = await durablePlatform(order)
  const arns = [await under.start('good'), await under.start('fail', { DurableExecutionName: 'second' })]
  await under.until(async () =>
    (await Promise.all(arns.map(under.shown))).every(({ Status }) => Status !== 'RUNNING'),
  )
  const list = async (more: object = {}) => {
    const command = new ListDurableExecutionsByFunctionCommand({ FunctionName: 'order', ...more })
    return (await under.lambda.send(command)).DurableExecutions!.map(({ Status }) => Status)
  }
  expect(await list()).toEqual(['SUCCEEDED', 'FAILED'])
  expect(await list({ Statuses: ['FAILED'] })).toEqual(['FAILED'])
  expect(await list({ DurableExecutionName: 'second', ReverseOrder: true, MaxItems: 1 })).toEqual(['FAILED'])
  expect(await list({ StartedAfter: new Date(1_900_000_000_001) })).toEqual([])
  await expect(list({ FunctionName: 'nobody' })).rejects.toThrow('Function not found')
  await expect(list({ Statuses: ['LOST'] })).rejects.toThrow('Statuses must be of')
  await under.clock.advance(24 * 60 * 60_000)
  await under.until(async () => (await list()).length === 0)
  await expect(under.shown(arns[0]!)).rejects.toThrow('Durable execution not found')
})

it('inputs, results and errors are shown only to those who ask for them', async () => {
  await using under = await durablePlatform(async () => done('"secret"'))
  const arn = await under.start('secret')
  await under.until(async () => (await under.shown(arn)).Status === 'SUCCEEDED')
  const plain = await under.lambda.send(new GetDurableExecutionHistoryCommand({ DurableExecutionArn: arn }))
  const bare = await under.lambda.send(
    new GetDurableExecutionCommand({ DurableExecutionArn: arn, IncludeExecutionData: false }),
  )
  expect(JSON.stringify([plain.Events, bare])).not.toContain('secret')
  expect(plain.Events![0]!.ExecutionStartedDetails).toEqual({
    ExecutionTimeout: 3600,
    Input: { Truncated: true },
  })
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

it('a stopping platform serves the functions that run, and nobody waits for an execution', async () => {
  let isRunning = false
  let release = () => {}
  const answers: unknown[] = []
  const { order } = script(async (event, client) => {
    isRunning = true
    await new Promise<void>(resolve => {
      release = resolve
    })
    answers.push(await checkpoints(event, client)(wait('rest', 60)))
    return pending
  })
  const idle = {
    durable: { timeout: 600 },
    handler: async (event: unknown) => {
      await checkpoints(event as DurableEvent, under.lambda)(wait('rest', 60))
      return pending
    },
  }
  await using under = await durablePlatform(order, { config: { functions: { idle }, grace: 20 } as never })
  await under.start({})
  const waits = under.lambda
    .send(new InvokeCommand({ FunctionName: 'idle' }))
    .catch((error: unknown) => error)
  await under.until(() => isRunning)
  await under.until(async () => {
    const { DurableExecutions } = await under.lambda.send(
      new ListDurableExecutionsByFunctionCommand({ FunctionName: 'idle' }),
    )
    return (await under.shown(DurableExecutions![0]!.DurableExecutionArn!)).types.length === 3
  })
  const stopped = under.platform.stop()
  await untilFound(async () => {
    const answer = await fetch(`${under.url}/2015-03-31/functions`)
    await answer.text()
    return answer.status === 503 ? [answer] : []
  })
  release()
  await stopped
  expect(answers).toMatchObject([{ CheckpointToken: expect.any(String) }])
  expect(await waits).toMatchObject({ name: 'ServiceUnavailableException' })
})

it('an invocation that was given up gets no token of the next one', async () => {
  const tokens: string[] = []
  const { events, order } = script(
    async (event, client) => {
      tokens.push(event.CheckpointToken)
      await checkpoints(event, client)(wait('rest', 60))
      throw new Error('given up')
    },
    async ({ DurableExecutionArn }) => {
      const Updates = [wait('rest', 60)]
      const repeated = { DurableExecutionArn, CheckpointToken: tokens[0], Updates }
      return under.lambda.send(new CheckpointDurableExecutionCommand(repeated)).then(
        () => done('"a token"'),
        (error: Error) => done(JSON.stringify(error.message)),
      )
    },
  )
  await using under = await durablePlatform(order)
  const arn = await under.start({})
  await under.until(async () => (await under.shown(arn)).types.includes('InvocationCompleted'))
  await under.clock.advance(1000)
  await under.until(async () => (await under.shown(arn)).Status !== 'RUNNING')
  expect(events).toHaveLength(2)
  expect((await under.shown(arn)).Result).toBe('"Invalid checkpoint token"')
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

it('what is nested too deeply, and times and markers that are none, are refused in words', async () => {
  const { order } = script(() => ({ Status: 'FAILED', Error: { ErrorType: 'Empty', Unknown: [[1]] } }))
  await using under = await durablePlatform(order)
  const arn = await under.start({})
  await under.until(async () => (await under.shown(arn)).Status === 'FAILED')
  expect((await under.shown(arn)).Error).toEqual({ ErrorType: 'Empty' })
  const get = async (path: string) => {
    const answer = await fetch(`${under.url}/2025-12-01/${path}`)
    return `${answer.status} ${await answer.text()}`
  }
  const encoded = encodeURIComponent(arn)
  expect(await get(`durable-executions/${encoded}/history?Marker=99999999999`)).toMatch(
    /^400 .*Marker must be/,
  )
  expect(await get('functions/order/durable-executions?StartedAfter=1e300')).toMatch(/^400 .*must be a time/)
  const body = `{"CheckpointToken":"x","Updates":[{"Id":"a","Type":"STEP","Action":"START","x":${'['.repeat(9000)}${']'.repeat(9000)}}]}`
  const answer = await fetch(`${under.url}/2025-12-01/durable-executions/${encoded}/checkpoint`, {
    ...{ method: 'POST', body },
  })
  expect(answer.status).toBe(400)
  expect(under.notices).toEqual([])
})

async function untilFound<T>(find: () => Promise<readonly T[]>): Promise<readonly T[]> {
  for (;;) {
    const found = await find()
    if (found.length > 0) return found
  }
}
