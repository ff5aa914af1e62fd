import {
  GetDurableExecutionCommand,
  GetDurableExecutionHistoryCommand,
  InvokeCommand,
  ListDurableExecutionsByFunctionCommand,
  StopDurableExecutionCommand,
} from '@aws-sdk/client-lambda'
import { expect, it } from '@jest/globals'
import { checkpoints, type DurableEvent, durablePlatform } from '../testing/durable-platform.ts'
import { done, pending, script, untilFound, wait } from '../testing/scripted-function.ts'

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
