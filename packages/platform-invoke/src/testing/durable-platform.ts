import {
  CheckpointDurableExecutionCommand,
  type CheckpointDurableExecutionCommandInput,
  GetDurableExecutionCommand,
  GetDurableExecutionHistoryCommand,
  InvokeCommand,
  type InvokeCommandInput,
  LambdaClient,
} from '@aws-sdk/client-lambda'
import { manualClock } from '@signalbox/core/testing'
import type { PlatformOptions } from '@signalbox/platform-runtime/platform'
import { invokePlatform } from './invoke-platform.ts'
import type { Config } from './invoke-program.ts'

/** What a durable function gets. */
export interface DurableEvent {
  readonly DurableExecutionArn: string
  readonly CheckpointToken: string
  readonly InitialExecutionState: {
    readonly Operations: readonly { readonly Id: string; readonly [field: string]: unknown }[]
    readonly NextMarker: string
  }
  readonly UpdatedOperationIds: readonly string[]
}

/** A durable function that speaks the protocol itself. */
export type RawDurable = (
  event: DurableEvent,
  client: LambdaClient,
) => Promise<{ readonly Status: string; readonly Result?: string; readonly Error?: object } | null>

/** Starts a platform with the durable function `order`, and a client that never repeats a request. */
export async function durablePlatform(
  order: RawDurable,
  { config, options }: { readonly config?: Partial<Config>; readonly options?: PlatformOptions } = {},
) {
  const clock = manualClock(1_900_000_000_000)
  const settings = { region: 'local', credentials: { accessKeyId: 'AKIATEST', secretAccessKey: 'none' } }
  let client: LambdaClient | undefined
  const functions = {
    order: {
      handler: (event: unknown) => order(event as DurableEvent, client!),
      durable: { timeout: 3600, retention: 1 },
    },
  }
  const under = await invokePlatform(
    { ...config, functions: { ...functions, ...config?.functions } } as Config,
    { clock, ...options },
  )
  client = new LambdaClient({ ...settings, endpoint: under.url, maxAttempts: 1 })
  const lambda = client
  return {
    ...under,
    clock,
    lambda,
    start: async (input: unknown, more: Partial<InvokeCommandInput> = {}) => {
      const { DurableExecutionArn } = await lambda.send(
        new InvokeCommand({
          ...{ FunctionName: 'order', InvocationType: 'Event', Payload: JSON.stringify(input) },
          ...more,
        }),
      )
      return DurableExecutionArn!
    },
    async statusOf(DurableExecutionArn: string) {
      const asked = new GetDurableExecutionCommand({ DurableExecutionArn, IncludeExecutionData: false })
      return (await lambda.send(asked)).Status
    },
    /** Returns an execution, with the types and the details of its events. */
    async shown(DurableExecutionArn: string) {
      const execution = await lambda.send(
        new GetDurableExecutionCommand({ DurableExecutionArn, IncludeExecutionData: true }),
      )
      const { Events = [] } = await lambda.send(
        new GetDurableExecutionHistoryCommand({
          ...{ DurableExecutionArn, IncludeExecutionData: true, MaxItems: 1000 },
        }),
      )
      return {
        ...execution,
        Events,
        types: Events.map(({ EventType, Name }) => (Name === undefined ? EventType : `${EventType} ${Name}`)),
      }
    },
    /** Lets real time pass until an execution has ended, or a condition holds. */
    async until(isReached: () => boolean | Promise<boolean>) {
      for (let turn = 0; turn < 2000; turn++) {
        if (await isReached()) return
        await new Promise(resolve => setTimeout(resolve, 2))
        await clock.advance(0)
      }
      throw new Error('This was not reached.')
    },
    async [Symbol.asyncDispose]() {
      lambda.destroy()
      await under[Symbol.asyncDispose]()
    },
  }
}

/** Returns a function that makes checkpoints one after the other, each with the token of the last answer. */
export function checkpoints({ DurableExecutionArn, CheckpointToken }: DurableEvent, client: LambdaClient) {
  let token = CheckpointToken
  return async (...Updates: NonNullable<CheckpointDurableExecutionCommandInput['Updates']>) => {
    const answer = await client.send(
      new CheckpointDurableExecutionCommand({ DurableExecutionArn, CheckpointToken: token, Updates }),
    )
    token = answer.CheckpointToken ?? token
    return answer
  }
}
