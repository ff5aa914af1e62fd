import { deepEqual, equal, match } from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import {
  type DurableExecutionConfig,
  type DurableExecutionHandler,
  withDurableExecution,
} from '@aws/durable-execution-sdk-js'
import {
  type ErrorObject,
  type Event,
  InvokeCommand,
  type LambdaClient,
  paginateGetDurableExecutionHistory,
  SendDurableExecutionCallbackFailureCommand,
  SendDurableExecutionCallbackHeartbeatCommand,
  SendDurableExecutionCallbackSuccessCommand,
} from '@aws-sdk/client-lambda'
import type { ManualClock } from '@signalbox/core/testing'
import type { Config } from '@signalbox/platform'
import { executionSources } from '../../platform/testing/execution-sources.ts'
import { linesOf } from './history.ts'
import { nextTime } from './next-time.ts'

/**
 * Milliseconds by the platform's clock within which an execution goes on after a crash or a call. A function that loads and
 * runs meanwhile has 10 seconds by the same clock for either, however slow the machine is.
 */
const soon = 5_000

type Sources = Awaited<ReturnType<typeof executionSources>>

/** What happens from outside to an execution that waits, in the order of the list. */
export type Action =
  | { readonly succeed: string; readonly with?: string }
  | { readonly fail: string; readonly with: ErrorObject }
  | { readonly heartbeat: string }
  | { readonly passSeconds: number; readonly isQuiet?: boolean }

/** An execution that has ended. */
export interface Ended {
  readonly status: string
  readonly result?: unknown
  /** The type of the error and its message. */
  readonly error?: string
  readonly history: readonly string[]
}

/** Returns what a test expects of an execution that succeeds. The text has one line for each event between start and end. */
export const succeeded = (result: unknown, history: string): Ended => ({
  ...{ status: 'SUCCEEDED', result, history: linesIn(history) },
})

/** Returns what a test expects of an execution that fails. The error is its type and its message. */
export const failed = (error: string, history: string): Ended => ({
  ...{ status: 'FAILED', error, history: linesIn(history) },
})

const linesIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .map(line => line.trim())

/**
 * Starts a platform for the tests of one file, with durable functions that the vendor's SDK runs. The functions `echo` and
 * `broken` can be called. The clock moves from one wait to the next.
 *
 * The executions are in memory. `DURABLE_POSTGRES_URL` names a PostgreSQL server that keeps them instead, in a schema of
 * their own, and `DURABLE_PLATFORMS` says how many platforms share them then. These answer the clients in turn.
 * @param functions further functions
 */
export function durablePlatform(functions: Config['functions'] = {}) {
  const { DURABLE_POSTGRES_URL: url, DURABLE_PLATFORMS: platforms = 1 } = process.env
  const storage = url && { postgres: { url, schema: `durable_${randomBytes(8).toString('hex')}` } }
  let under: Sources
  let others: readonly Sources[] = []
  let current: unknown
  let lambda: LambdaClient
  let count = 0
  const callee =
    (handler: DurableExecutionHandler) =>
    (...args: readonly [unknown, unknown]) =>
      withDurableExecution(handler, { client: lambda })(...(args as unknown as readonly [never, never]))
  const startOne = (clock?: ManualClock) =>
    executionSources(
      () =>
        (...args: readonly never[]) =>
          (current as (...args: readonly never[]) => unknown)(...args),
      {
        functions: {
          ...functions,
          echo: { handler: callee(async event => event) as never, durable: { timeout: 3600 } },
          broken: {
            handler: callee(async () => {
              throw new RangeError('the callee fails')
            }) as never,
            durable: { timeout: 3600 },
          },
        },
        control: { port: 0, testing: true },
        ...(storage && { storage }),
      },
      clock && { clock },
    )
  const start = async () => {
    under = await startOne()
    lambda = under.lambda
    for (let number = 1; number < Number(platforms); number++)
      others = [...others, await startOne(under.clock)]
    const endpoints = [under, ...others].map(({ lambda: { config } }) => config.endpoint!)
    let turn = 0
    lambda.config.endpoint = () => endpoints[turn++ % endpoints.length]!()
  }

  async function eventsOf(DurableExecutionArn: string): Promise<readonly Event[]> {
    const events: Event[] = []
    const input = { DurableExecutionArn, IncludeExecutionData: true }
    for await (const { Events } of paginateGetDurableExecutionHistory({ client: lambda }, input))
      events.push(...(Events ?? []))
    return events
  }

  const hasRested = (events: readonly Event[]) =>
    /^(InvocationCompleted|Execution(Succeeded|Failed|TimedOut|Stopped))$/.test(events.at(-1)!.EventType!)

  /** Waits until no invocation of an execution runs. The clock stands still. */
  const rest = (arn: string, least = 0) =>
    under.until(async () => {
      const events = await eventsOf(arn)
      return events.length > least && hasRested(events)
    })

  /** Returns the id of a callback that has started. Its operation or its context has the name; any has the name ''. */
  const idOf = (events: readonly Event[], name: string) =>
    events.find(({ EventType, Name, ParentId }) => {
      if (EventType !== 'CallbackStarted') return false
      const parent = events.find(({ Id }) => Id !== undefined && Id === ParentId)
      return name === '' || name === Name || name === parent?.Name
    })?.CallbackStartedDetails?.CallbackId

  /** Moves the clock until an execution has ended, or waits for callbacks only. */
  const toEnd = async (arn: string) => {
    if (storage) return goOn(arn)
    const id = arn.split('/').at(-1)!
    const ended = await fetch(`${under.urlOf('control')}/testing/executions/${id}/end`, { method: 'POST' })
    equal(ended.status, 200, await ended.text())
  }

  /** Does the same where platforms share a database, and none of them may do so. */
  const goOn = async (arn: string) => {
    for (;;) {
      await rest(arn)
      const events = await eventsOf(arn)
      const next = events.at(-1)!.EventType === 'InvocationCompleted' ? nextTime(events) : undefined
      if (next === undefined) return
      if (next !== 'soon') await under.clock.advance(Math.max(0, next - under.clock.now()))
      let left = next === 'soon' ? soon : 0
      await under.until(async () => {
        if (left > 0) await under.clock.advance(100)
        left -= 100
        return (await eventsOf(arn)).length > events.length
      })
    }
  }

  async function act(arn: string, action: Action) {
    if ('passSeconds' in action) {
      const { length } = await eventsOf(arn)
      await under.clock.advance(action.passSeconds * 1000)
      return rest(arn, action.isQuiet ? 0 : length)
    }
    const name = 'succeed' in action ? action.succeed : 'fail' in action ? action.fail : action.heartbeat
    if (idOf(await eventsOf(arn), name) === undefined) await toEnd(arn)
    const CallbackId = idOf(await eventsOf(arn), name)!
    if ('heartbeat' in action)
      await lambda.send(new SendDurableExecutionCallbackHeartbeatCommand({ CallbackId }))
    else if ('fail' in action)
      await lambda.send(new SendDurableExecutionCallbackFailureCommand({ CallbackId, Error: action.with }))
    else {
      const result = action.with === undefined ? {} : { Result: Buffer.from(action.with) }
      await lambda.send(new SendDurableExecutionCallbackSuccessCommand({ CallbackId, ...result }))
    }
    return rest(arn)
  }

  return {
    start,
    stop: () => Promise.all([under, ...others].map(each => each.stop())),
    /**
     * Runs an execution to its end.
     * @param work the function, or the name of a further one
     * @param input the event of the function, sent as JSON
     * @param letters gets the letter of each operation in the history, by its id
     */
    async run(
      work: DurableExecutionHandler | string,
      {
        input = null,
        actions = [],
        config = {},
        letters,
      }: {
        readonly input?: unknown
        readonly actions?: readonly Action[]
        readonly config?: DurableExecutionConfig
        readonly letters?: Map<string, string>
      } = {},
    ): Promise<Ended> {
      if (typeof work !== 'string') current = withDurableExecution(work, { client: lambda, ...config })
      const FunctionName = typeof work === 'string' ? work : 'order'
      const DurableExecutionName = `run-${++count}`
      const { DurableExecutionArn: arn = '' } = await lambda.send(
        new InvokeCommand({
          ...{ FunctionName, InvocationType: 'Event', DurableExecutionName },
          Payload: JSON.stringify(input),
        }),
      )
      await rest(arn)
      for (const action of actions) await act(arn, action)
      await toEnd(arn)
      const events = await eventsOf(arn)
      deepEqual(
        events.map(({ EventId }) => EventId),
        events.map((_each, index) => index + 1),
      )
      const [first, ...rested] = linesOf(events, letters)
      equal(first, 'ExecutionStarted')
      match(rested.pop()!, /^Execution(Succeeded|Failed)$/)
      const { ExecutionSucceededDetails: success, ExecutionFailedDetails: failure } = events.at(-1)!
      const { Status } = await under.shown(arn)
      const result = success?.Result?.Payload
      return {
        ...{ status: Status!, history: rested },
        ...(failure === undefined
          ? { result: result === undefined ? undefined : JSON.parse(result) }
          : { error: `${failure.Error?.Payload?.ErrorType}: ${failure.Error?.Payload?.ErrorMessage}` }),
      }
    },
  }
}
