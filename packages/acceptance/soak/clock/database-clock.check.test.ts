import { chmodSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
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
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createPlatform } from '@signalbox/platform'
import { type PostgresServer, postgresServer } from '@signalbox/platform-postgres/testing/postgres-server'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { startPlatform } from '../platform-process.ts'
import { faketimeIn, means, throwClock } from './throw-clock.ts'

const works = means.includes('libfaketime')
const withFaketime = works ? it : it.skip
const skipped = works ? '' : ' (skipped: needs libfaketime)'
const minute = 60_000
const day = 24 * 60 * minute

/** What a function gets, as far as this test needs it. */
interface Event {
  readonly DurableExecutionArn: string
  readonly CheckpointToken: string
  readonly InitialExecutionState: {
    readonly Operations: readonly {
      readonly Id: string
      readonly Status: string
      readonly ExecutionDetails?: { readonly InputPayload: string }
    }[]
  }
}

const updates: { readonly [kind: string]: Partial<OperationUpdate> } = {
  wait: { Type: 'WAIT', WaitOptions: { WaitSeconds: 1 } },
  'long wait': { Type: 'WAIT', WaitOptions: { WaitSeconds: 20 * 60 } },
  callback: { Type: 'CALLBACK', CallbackOptions: {} },
  'held callback': { Type: 'CALLBACK', CallbackOptions: {} },
  'call of an execution': {
    ...{ Type: 'CHAINED_INVOKE', Payload: '"nothing"' },
    ChainedInvokeOptions: { FunctionName: 'order' },
  },
  'call of a function': {
    ...{ Type: 'CHAINED_INVOKE', Payload: '{}' },
    ChainedInvokeOptions: { FunctionName: 'plain' },
  },
}

/** Two platforms on one PostgreSQL server, and their function, which does one thing and waits for its end. */
async function twoPlatforms(url: string) {
  const held = new Set<() => void>()
  const clients: LambdaClient[] = []
  const order = async ({ DurableExecutionArn, CheckpointToken, InitialExecutionState }: Event) => {
    const [execution, operation] = InitialExecutionState.Operations
    const kind = JSON.parse(execution!.ExecutionDetails!.InputPayload)
    const update = updates[kind]
    if (update === undefined || operation?.Status === 'SUCCEEDED')
      return { Status: 'SUCCEEDED', Result: '"done"' }
    if (operation === undefined)
      await clients[0]!.send(
        new CheckpointDurableExecutionCommand({
          ...{ DurableExecutionArn, CheckpointToken },
          Updates: [{ Id: 'one', Action: 'START', ...update } as OperationUpdate],
        }),
      )
    if (kind === 'held callback') await new Promise<void>(resolve => held.add(resolve))
    return { Status: 'PENDING' }
  }
  const start = async () => {
    const platform = createPlatform({
      functions: {
        order: { handler: order as never, durable: { timeout: 10 * 24 * 3600 } },
        plain: { handler: async () => 'done' },
      },
      invoke: { port: 0 },
      dataDir: ':memory:',
      grace: 0,
      storage: { postgres: { url } },
    })
    const [address] = await platform.start()
    clients.push(clientOf(address!.url))
    return platform
  }
  const platforms = [await start(), await start()]
  const [client] = clients as [LambdaClient]
  return {
    client,
    start: (kind: string) => startExecution(client, kind),
    /** Waits until an execution has done its one thing, and no invocation runs unless it is held. */
    async rest(arn: string) {
      await until(async () => {
        const types = (await eventsOf(client, arn)).map(({ EventType }) => EventType)
        return types.includes('InvocationCompleted') || (types.includes('CallbackStarted') && held.size > 0)
      })
    },
    async answer(arn: string) {
      const events = await eventsOf(client, arn)
      const details = events.find(({ EventType }) => EventType === 'CallbackStarted')?.CallbackStartedDetails
      await client.send(new SendDurableExecutionCallbackSuccessCommand({ CallbackId: details!.CallbackId! }))
    },
    /** Ends the invocations that are held. */
    release() {
      for (const each of held) each()
      held.clear()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(platforms.map(each => each.stop()))
      for (const each of clients) each.destroy()
    },
  }
}

const clientOf = (endpoint: string) =>
  new LambdaClient({
    ...{ region: 'local', credentials: { accessKeyId: 'AKIATEST', secretAccessKey: 'none' } },
    endpoint,
  })

async function startExecution(client: LambdaClient, kind: string): Promise<string> {
  const input = { FunctionName: 'order', InvocationType: 'Event', Payload: JSON.stringify(kind) } as const
  return (await client.send(new InvokeCommand(input))).DurableExecutionArn!
}

const eventsOf = async (client: LambdaClient, DurableExecutionArn: string) =>
  (await client.send(new GetDurableExecutionHistoryCommand({ DurableExecutionArn }))).Events!

const statusOf = async (client: LambdaClient, DurableExecutionArn: string) =>
  (await client.send(new GetDurableExecutionCommand({ DurableExecutionArn }))).Status!

/** Waits at most half a minute, while what is late by the distance of the clock takes longer. */
async function until(isReached: () => Promise<boolean>, seconds = 30): Promise<boolean> {
  for (let turn = 0; turn < seconds * 20; turn++) {
    if (await isReached()) return true
    await delay(50)
  }
  return false
}

/** Waits until executions have ended. Returns those that have not, by their kind. */
async function unfinished(client: LambdaClient, arns: { readonly [kind: string]: string }, seconds?: number) {
  let running: string[] = []
  await until(async () => {
    const statuses = await Promise.all(
      Object.entries(arns).map(async ([kind, arn]) => [kind, await statusOf(client, arn)] as const),
    )
    running = statuses.filter(([, status]) => status !== 'SUCCEEDED').map(each => each.join(': '))
    return running.length === 0
  }, seconds)
  return running
}

let folder: ReturnType<typeof temporaryFolder>
let server: PostgresServer
beforeAll(async () => {
  if (!works) return
  folder = temporaryFolder()
  // The server runs as another user.
  chmodSync(folder.path, 0o755)
  throwClock(folder.path, 0)
  server = await postgresServer([], faketimeIn(folder.path, 'libfaketime'))
})
afterAll(async () => {
  await server?.end()
  folder?.[Symbol.dispose]()
})

for (const distance of [90 * minute, -90 * minute, 2 * day, 3 * minute])
  withFaketime(
    `an execution hears at once of what it waits for, although the clock of PostgreSQL is thrown by ${distance / minute} minutes and back${skipped}`,
    async () => {
      await using under = await twoPlatforms(server.url)
      const { client, start, rest, answer, release } = under
      const begin = async (...kinds: string[]) => {
        const arns = await Promise.all(kinds.map(async kind => [kind, await start(kind)] as const))
        for (const [, arn] of arns) await rest(arn)
        return Object.fromEntries(arns)
      }
      const answerAll = async (arns: { readonly [kind: string]: string }) => {
        for (const arn of Object.values(arns)) await answer(arn)
        release()
      }
      const all = ['nothing', 'wait', 'call of an execution', 'call of a function']

      const before = await begin('callback', 'held callback')
      const { 'long wait': slept = '' } = await begin('long wait')
      throwClock(folder.path, distance)
      await answerAll(before)
      const meanwhile = Object.fromEntries(
        await Promise.all(all.map(async kind => [kind, await start(kind)] as const)),
      )
      const across = await begin('callback', 'held callback')
      expect(await unfinished(client, { ...before, ...meanwhile })).toEqual([])
      // Waits end by the clock of the database.
      expect(await unfinished(client, distance > 20 * minute ? { slept } : {})).toEqual([])

      throwClock(folder.path, 0)
      await answerAll(across)
      const after = Object.fromEntries(
        await Promise.all(all.map(async kind => [kind, await start(kind)] as const)),
      )
      expect(await unfinished(client, { ...across, ...after })).toEqual([])
      if (distance <= 20 * minute) expect(await statusOf(client, slept)).toBe('RUNNING')
    },
    180_000,
  )

for (const [when, pause, seconds] of [
  ['at once', 0, 100],
  ['after its next heartbeat', 4000, 40],
] as const)
  withFaketime(
    `others take over from a platform that is killed ${when} when the clock of PostgreSQL went back${skipped}`,
    async () => {
      throwClock(folder.path, 90 * minute)
      rmSync(join(folder.path, 'is-called'), { force: true })
      const program = new URL('./database-clock-platform.ts', import.meta.url)
      const other = await startPlatform(program, folder.path, [server.url])
      const otherClient = clientOf(other.url)
      // The platform begins only one of them.
      const running = await startExecution(otherClient, 'nothing')
      await until(async () => existsSync(join(folder.path, 'is-called')))
      const waiting = await startExecution(otherClient, 'nothing')
      throwClock(folder.path, 0)
      await delay(pause)
      await other.kill()
      otherClient.destroy()
      await using under = await twoPlatforms(server.url)
      expect(await unfinished(under.client, { running, waiting }, seconds)).toEqual([])
    },
    180_000,
  )
