import {
  type CheckpointDurableExecutionCommandOutput,
  GetDurableExecutionCommand,
  GetDurableExecutionStateCommand,
  type LambdaClient,
  type OperationUpdate,
  SendDurableExecutionCallbackFailureCommand,
  SendDurableExecutionCallbackHeartbeatCommand,
  SendDurableExecutionCallbackSuccessCommand,
} from '@aws-sdk/client-lambda'
import { expect, it } from '@jest/globals'
import { checkpoints, type DurableEvent, durablePlatform } from '../testing/durable-platform.ts'

const step = (Id: string, more: Partial<OperationUpdate> = {}) =>
  ({ Id, Type: 'STEP', Action: 'SUCCEED', ...more }) as const

/** Resolves to the name of the error with which a request is refused, and its message. */
const refusalOf = (request: Promise<unknown>) =>
  request.then(
    () => 'accepted',
    ({ name, message }: Error) => `${name}: ${message}`,
  )

const invalidToken = 'InvalidParameterValueException: Invalid checkpoint token'

it('a token opens only its own execution, and only while it is the latest one', async () => {
  const events: DurableEvent[] = []
  let use = () => {}
  const used = new Promise<void>(resolve => {
    use = resolve
  })
  const order = async (event: DurableEvent) => {
    events.push(event)
    await used
    return { Status: 'SUCCEEDED' }
  }
  await using under = await durablePlatform(order, { config: {} })
  const arns = [await under.start(1), await under.start(2)]
  await under.until(() => events.length === 2)
  const [one, other] = arns.map(arn => events.find(({ DurableExecutionArn }) => DurableExecutionArn === arn)!)
  const send = (event: DurableEvent) => checkpoints(event, under.lambda)(step('forged'))
  const state = (DurableExecutionArn: string, CheckpointToken: string) =>
    under.lambda.send(new GetDurableExecutionStateCommand({ DurableExecutionArn, CheckpointToken }))

  const forged = [
    other!.CheckpointToken,
    '',
    'null',
    '%',
    `${one!.CheckpointToken} `,
    one!.CheckpointToken.slice(1),
  ]
  for (const CheckpointToken of forged) {
    expect(await refusalOf(send({ ...one!, CheckpointToken }))).toMatch(/^InvalidParameterValueException: /)
    expect(await refusalOf(state(arns[0]!, CheckpointToken))).toMatch(/^InvalidParameterValueException: /)
  }
  // The execution exists, but not under this name, or as one of this function.
  for (const [from, to] of [
    [/\/durable-execution\/[^/]+/, '/durable-execution/other'],
    [':function:order:', ':function:rest:'],
    [/\/[^/]+$/, '/__proto__'],
  ] as const) {
    const DurableExecutionArn = arns[0]!.replace(from, to)
    expect(await refusalOf(state(DurableExecutionArn, one!.CheckpointToken))).toMatch(
      /^ResourceNotFoundException: /,
    )
    expect(
      await refusalOf(under.lambda.send(new GetDurableExecutionCommand({ DurableExecutionArn }))),
    ).toMatch(/^ResourceNotFoundException: /)
  }

  expect(await refusalOf(state(arns[0]!, one!.CheckpointToken))).toBe('accepted')
  expect(await refusalOf(send(one!))).toBe('accepted')
  expect(await refusalOf(state(arns[0]!, one!.CheckpointToken))).toBe(invalidToken)
  use()
  await under.until(async () => (await under.statusOf(arns[1]!)) === 'SUCCEEDED')
  expect(await refusalOf(send(other!))).toBe(invalidToken)
  expect(await refusalOf(state(arns[1]!, other!.CheckpointToken))).toBe(invalidToken)
  const types = (await under.shown(arns[1]!)).types.map(type => type!.split(' ')[0])
  expect(types).toEqual(['ExecutionStarted', 'InvocationCompleted', 'ExecutionSucceeded'])
})

it('a forged id of a callback ends nothing', async () => {
  let genuine = ''
  const order = async (event: DurableEvent, client: LambdaClient) => {
    if (genuine !== '') return { Status: 'SUCCEEDED' }
    const { NewExecutionState }: CheckpointDurableExecutionCommandOutput = await checkpoints(event, client)(
      step('done'),
      { Id: 'c', Type: 'CALLBACK', Action: 'START' },
    )
    genuine = NewExecutionState!.Operations!.find(({ Id }) => Id === 'c')!.CallbackDetails!.CallbackId!
    return { Status: 'PENDING' }
  }
  await using under = await durablePlatform(order)
  const arn = await under.start({})
  await under.until(async () => (await under.shown(arn)).types.includes('InvocationCompleted'))
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
  const [execution, operation, ...rest] = JSON.parse(Buffer.from(genuine, 'base64').toString()) as string[]
  const ids = [
    ...[encoded([execution, operation]), encoded([execution, 'done', ...rest])],
    ...[encoded([execution, operation, 'x']), encoded(['__proto__', 'constructor', ...rest])],
    ...[
      encoded({ 0: execution, 1: operation }),
      encoded(null),
      encoded([1, 2]),
      'x',
      '%00',
      '\u20ac',
      genuine.slice(4),
    ],
  ]
  for (const CallbackId of ids) {
    const requests = [
      new SendDurableExecutionCallbackSuccessCommand({ CallbackId, Result: Buffer.from('1') }),
      new SendDurableExecutionCallbackFailureCommand({ CallbackId, Error: { ErrorMessage: 'forged' } }),
      new SendDurableExecutionCallbackHeartbeatCommand({ CallbackId }),
    ]
    for (const request of requests)
      expect(await refusalOf(under.lambda.send(request as never))).toMatch(
        /^(ResourceNotFoundException|InvalidParameterValueException): /,
      )
  }
  expect(await under.statusOf(arn)).toBe('RUNNING')
  await under.lambda.send(new SendDurableExecutionCallbackSuccessCommand({ CallbackId: genuine }))
  await under.until(async () => (await under.statusOf(arn)) === 'SUCCEEDED')
})

it('names, payloads and errors come back as they were, whatever text they are', async () => {
  const words = [
    '__proto__',
    'constructor',
    'toString',
    "'; drop table executions; --",
    '%_\\',
    '${x} {{y}}',
    '<b>',
    '..',
  ]
  // An id has no spaces.
  const idOf = (word: string) => word.replaceAll(' ', '_')
  const texts = [
    '\u0000',
    '\ud800',
    '\u202e',
    '"\\u0000"',
    '{"__proto__":{"a":1}}',
    '\u2028',
    '\r\n',
    'e\u0301\u{1f600}',
  ]
  let state: DurableEvent['InitialExecutionState']['Operations'] = []
  const order = async (event: DurableEvent, client: LambdaClient) => {
    if (event.InitialExecutionState.Operations.length > 1) {
      state = event.InitialExecutionState.Operations
      return { Status: 'FAILED', Error: { ErrorType: '__proto__', ErrorMessage: texts.join('|') } }
    }
    const send = checkpoints(event, client)
    for (const [at, Name] of words.entries()) {
      const error = { ErrorType: Name, ErrorMessage: texts[at] }
      await send(step(idOf(Name), { Name, SubType: Name, Payload: texts[at] }))
      await send(step(`${idOf(Name)}!`, { Name, Action: 'FAIL', Error: error }))
    }
    await send({ Id: 'w', Type: 'WAIT', Action: 'START', WaitOptions: { WaitSeconds: 1 } })
    return { Status: 'PENDING' }
  }
  await using under = await durablePlatform(order)
  const arn = await under.start({ ['__proto__']: texts, text: texts.join('') })
  await under.until(async () => (await under.shown(arn)).types.includes('InvocationCompleted'))
  await under.clock.advance(1000)
  await under.until(async () => (await under.statusOf(arn)) !== 'RUNNING')
  const { Events, Error: error } = await under.shown(arn)
  expect(error).toEqual({ ErrorType: '__proto__', ErrorMessage: texts.join('|') })
  const steps = state.filter(({ Type }) => Type === 'STEP')
  expect(steps.map(({ Id, Name }) => [Id, Name])).toEqual(
    words.flatMap(word => [
      [idOf(word), word],
      [`${idOf(word)}!`, word],
    ]),
  )
  const results = Events.flatMap(({ StepSucceededDetails: details }) => details?.Result?.Payload ?? [])
  expect(results).toEqual(texts)
  const errors = Events.flatMap(({ StepFailedDetails: details }) => details?.Error?.Payload ?? [])
  expect(errors).toEqual(words.map((ErrorType, at) => ({ ErrorType, ErrorMessage: texts[at] })))
  expect(({} as { readonly a?: number }).a).toBeUndefined()
  expect(under.notices).toEqual([])
})
