import { setTimeout as delay } from 'node:timers/promises'
import {
  GetDurableExecutionCommand,
  GetDurableExecutionHistoryCommand,
  LambdaClient,
  ListDurableExecutionsByFunctionCommand,
  SendDurableExecutionCallbackSuccessCommand,
} from '@aws-sdk/client-lambda'
import { SQSClient } from '@aws-sdk/client-sqs'
import { type ManualClock, manualClock } from '@signalbox/core/testing'
import { type Config, createPlatform } from '@signalbox/platform'

const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'none' }

/**
 * Starts a platform whose clock a test moves, with the durable function `order`.
 * @param handlerOf returns the function, which reaches the platform through the client
 */
export async function executionSources(
  handlerOf: (client: LambdaClient) => unknown,
  config: Omit<Config, 'functions'> & { readonly functions?: Config['functions'] },
  {
    clock = manualClock(1_900_000_000_000),
    timeout = 4 * 24 * 3600,
  }: { readonly clock?: ManualClock; readonly timeout?: number } = {},
) {
  let endpoint = ''
  const lambda = new LambdaClient({
    ...{ region: 'local', credentials },
    endpoint: async () => {
      const { protocol, hostname, port } = new URL(endpoint)
      return { protocol, hostname, port: Number(port), path: '/' }
    },
  })
  const notices: string[] = []
  const platform = createPlatform(
    {
      invoke: { port: 0 },
      dataDir: ':memory:',
      grace: 1,
      ...config,
      functions: {
        order: { handler: handlerOf(lambda) as never, durable: { timeout } },
        ...config.functions,
      },
    } as Config,
    { clock, onNotice: text => notices.push(text) },
  )
  const addresses = await platform.start()
  const urlOf = (source: string) => addresses.find(each => each.source === source)?.url
  endpoint = urlOf('invoke')!
  const sqs = new SQSClient({ region: 'local', credentials, endpoint: urlOf('queues') ?? endpoint })
  let stopping: Promise<void> | undefined
  return {
    ...{ platform, lambda, sqs, clock, notices, urlOf },
    QueueUrl: (name: string) => `${urlOf('queues')}/000000000000/${name}`,
    /** Lets real time pass until a condition holds. The platform's clock does not move. */
    async until(isReached: () => boolean | Promise<boolean>) {
      for (let turn = 0; turn < 2000; turn++) {
        if (await isReached()) return
        await delay(2)
        await clock.advance(0)
      }
      throw new Error('This was not reached.')
    },
    /** Returns the names and states of the executions, oldest first. */
    async executions() {
      const { DurableExecutions = [] } = await lambda.send(
        new ListDurableExecutionsByFunctionCommand({ FunctionName: 'order' }),
      )
      return DurableExecutions.map(each => ({
        arn: each.DurableExecutionArn!,
        name: each.DurableExecutionName!,
        status: each.Status!,
      }))
    },
    /** Returns whether executions wait, and no function runs. */
    async rest(count: number) {
      const { DurableExecutions: running = [] } = await lambda.send(
        new ListDurableExecutionsByFunctionCommand({ FunctionName: 'order', Statuses: ['RUNNING'] }),
      )
      const last = await Promise.all(
        running.map(async ({ DurableExecutionArn }) => {
          const { Events = [] } = await lambda.send(
            new GetDurableExecutionHistoryCommand({ DurableExecutionArn, ReverseOrder: true, MaxItems: 1 }),
          )
          return Events[0]?.EventType
        }),
      )
      return last.length === count && last.every(type => type === 'InvocationCompleted')
    },
    shown: (DurableExecutionArn: string) =>
      lambda.send(new GetDurableExecutionCommand({ DurableExecutionArn, IncludeExecutionData: true })),
    answer: (CallbackId: string, result: string) =>
      lambda.send(
        new SendDurableExecutionCallbackSuccessCommand({ CallbackId, Result: Buffer.from(result) }),
      ),
    async stop() {
      stopping ??= (async () => {
        const stopped = platform.stop()
        await clock.advance(2000)
        await stopped
        lambda.destroy()
        sqs.destroy()
      })()
      return stopping
    },
    async [Symbol.asyncDispose]() {
      await this.stop()
    },
  }
}
