import { setTimeout as delay } from 'node:timers/promises'
import {
  CheckpointDurableExecutionCommand,
  GetDurableExecutionCommand,
  GetDurableExecutionHistoryCommand,
  InvokeCommand,
  LambdaClient,
  type OperationUpdate,
  SendDurableExecutionCallbackSuccessCommand,
} from '@aws-sdk/client-lambda'
import { expect, it } from '@jest/globals'
import { createPlatform } from '@signalbox/platform'
import type { DurableEvent } from '@signalbox/platform-invoke/testing/durable-platform'
import { testServer } from '@signalbox/platform-postgres/testing/server-suite'

const database = testServer()
const count = 40

/** The clients of the platforms that run. */
let clients: LambdaClient[] = []

/** Sends a command to any platform that answers. */
async function send(command: unknown): Promise<never> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await clients[attempt % clients.length]!.send(command as never)
    } catch (error) {
      const { status = 0 } = {
        status: (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode,
      }
      if ((status >= 400 && status < 500) || attempt > 200) throw error
      await delay(20)
    }
  }
}

/** How often each step has run, by execution and step. */
const runs = new Map<string, number>()
/** The callbacks that wait for a person. */
const callbacks: string[] = []

/** A durable function: a step that runs at most once, a wait, a callback, a call of another function, and a last step. */
async function order(event: DurableEvent) {
  const { DurableExecutionArn } = event
  const state = new Map(event.InitialExecutionState.Operations.map(each => [each.Id, each]))
  const [first] = event.InitialExecutionState.Operations
  const { number } = JSON.parse(
    (first as unknown as { ExecutionDetails: { InputPayload: string } }).ExecutionDetails.InputPayload,
  ) as { readonly number: number }
  let token = event.CheckpointToken
  const checkpoint = async (...Updates: OperationUpdate[]) => {
    const answer: {
      CheckpointToken?: string
      NewExecutionState: { Operations: DurableEvent['InitialExecutionState']['Operations'] }
    } = await send(
      new CheckpointDurableExecutionCommand({ DurableExecutionArn, CheckpointToken: token, Updates }),
    )
    token = answer.CheckpointToken ?? token
    for (const each of answer.NewExecutionState.Operations) state.set(each.Id, each)
  }
  const statusOf = (id: string) => state.get(id)?.Status as string | undefined
  const step = async (Id: string) => {
    if (statusOf(Id) === 'SUCCEEDED') return
    // The step was interrupted. It is not known whether it ran.
    if (statusOf(Id) !== undefined) return checkpoint({ Id, Type: 'STEP', Action: 'SUCCEED', Payload: '"?"' })
    await checkpoint({ Id, Type: 'STEP', Action: 'START' })
    const key = `${number} ${Id}`
    runs.set(key, (runs.get(key) ?? 0) + 1)
    await delay(5)
    await checkpoint({ Id, Type: 'STEP', Action: 'SUCCEED', Payload: '1' })
  }
  const started = async (Id: string, update: Omit<OperationUpdate, 'Id' | 'Action'>) => {
    if (statusOf(Id) === undefined) await checkpoint({ Id, Action: 'START', ...update } as OperationUpdate)
    return statusOf(Id) === 'SUCCEEDED'
  }
  await step('reserve')
  if (!(await started('rest', { Type: 'WAIT', WaitOptions: { WaitSeconds: 1 } })))
    return { Status: 'PENDING' }
  const isApproved = await started('approval', { Type: 'CALLBACK' })
  if (!isApproved) {
    // Whoever approves may hear of it more than once.
    callbacks.push(
      (state.get('approval') as { CallbackDetails?: { CallbackId?: string } }).CallbackDetails!.CallbackId!,
    )
    return { Status: 'PENDING' }
  }
  const ChainedInvokeOptions = { FunctionName: 'double' }
  if (!(await started('call', { Type: 'CHAINED_INVOKE', Payload: String(number), ChainedInvokeOptions })))
    return { Status: 'PENDING' }
  await step('ship')
  const { Result } = (state.get('call') as { ChainedInvokeDetails?: { Result?: string } })
    .ChainedInvokeDetails!
  return { Status: 'SUCCEEDED', Result }
}

async function startPlatform() {
  const platform = createPlatform(
    {
      functions: {
        order: { handler: order as never, durable: { timeout: 600 } },
        double: { handler: async (event: unknown) => Number(event) * 2 },
      },
      storage: { postgres: { url: database.server.url, schema: 'executions' } },
      invoke: { port: 0 },
      dataDir: ':memory:',
      grace: 0,
    },
    { onNotice: () => {} },
  )
  const [address] = await platform.start()
  const client = new LambdaClient({
    ...{ region: 'local', endpoint: address!.url, maxAttempts: 1 },
    credentials: { accessKeyId: 'AKIATEST', secretAccessKey: 'none' },
  })
  clients.push(client)
  return {
    client,
    async stop() {
      clients = clients.filter(each => each !== client)
      await platform.stop()
      client.destroy()
    },
  }
}

it('every execution ends once and right on three platforms of which one is always stopped or thought to be gone', async () => {
  const platforms = [await startPlatform(), await startPlatform(), await startPlatform()]
  const arns = await Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const { DurableExecutionArn }: { DurableExecutionArn?: string } = await send(
        new InvokeCommand({
          ...{ FunctionName: 'order', InvocationType: 'Event', DurableExecutionName: `order-${number}` },
          Payload: JSON.stringify({ number }),
        }),
      )
      return DurableExecutionArn!
    }),
  )
  const statusOf = async (DurableExecutionArn: string) => {
    const execution: { Status: string; Result?: string; Error?: object } = await send(
      new GetDurableExecutionCommand({ DurableExecutionArn }),
    )
    return execution
  }
  let turn = 0
  for (;;) {
    for (const CallbackId of callbacks.splice(0))
      await send(
        new SendDurableExecutionCallbackSuccessCommand({ CallbackId, Result: Buffer.from('"yes"') }),
      ).catch((error: Error) => {
        if (error.name !== 'CallbackTimeoutException') throw error
      })
    const all = await Promise.all(arns.map(statusOf))
    if (all.every(({ Status }) => Status !== 'RUNNING')) break
    turn++
    if (turn % 3 === 0) {
      await platforms.shift()!.stop()
      platforms.push(await startPlatform())
    } else if (turn % 3 === 1)
      await database.query(
        'update executions.platforms set alive_until = 0 where id = (select id from executions.platforms limit 1)',
      )
    await delay(150)
  }
  for (const [number, arn] of arns.entries()) {
    expect(await statusOf(arn)).toMatchObject({ Status: 'SUCCEEDED', Result: String(number * 2) })
    const { Events }: { Events: { EventType: string; EventId: number }[] } = await send(
      new GetDurableExecutionHistoryCommand({ DurableExecutionArn: arn, MaxItems: 1000 }),
    )
    expect(Events.map(({ EventId }) => EventId)).toEqual(Events.map((_, at) => at + 1))
    const types = Events.map(({ EventType }) => EventType).filter(type => type !== 'InvocationCompleted')
    expect(types).toEqual([
      ...['ExecutionStarted', 'StepStarted', 'StepSucceeded', 'WaitStarted', 'WaitSucceeded'],
      ...['CallbackStarted', 'CallbackSucceeded', 'ChainedInvokeStarted', 'ChainedInvokeSucceeded'],
      ...['StepStarted', 'StepSucceeded', 'ExecutionSucceeded'],
    ])
  }
  expect(Math.max(...runs.values())).toBe(1)
  await Promise.all(platforms.map(each => each.stop()))
}, 180_000)
