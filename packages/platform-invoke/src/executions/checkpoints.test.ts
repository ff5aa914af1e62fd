import { CheckpointDurableExecutionCommand } from '@aws-sdk/client-lambda'
import { expect, it } from '@jest/globals'
import { checkpoints, durablePlatform } from '../testing/durable-platform.ts'
import { done, script, wait } from '../testing/scripted-function.ts'

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
