import { type DurableExecutionHandler, withDurableExecution } from '@aws/durable-execution-sdk-js'
import { GetDurableExecutionHistoryCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { expect, it } from '@jest/globals'
import { invokePlatform } from '../testing/invoke-platform.ts'

it('a durable function runs', async () => {
  let client: LambdaClient | undefined
  const lazy = { send: (command: never) => client!.send(command) } as unknown as LambdaClient
  const order: DurableExecutionHandler<{ name: string }, string> = async (event, context) => {
    const greeting = await context.step('greet', async () => `Hello, ${event.name}`)
    await context.wait('rest', { seconds: 1 })
    return `${greeting}!`
  }
  const handler = withDurableExecution(order, { client: lazy })
  await using under = await invokePlatform({
    functions: { order: { handler: handler as never, durable: { timeout: 60 } } },
  })
  client = new LambdaClient({
    region: 'local',
    endpoint: under.url,
    credentials: { accessKeyId: 'A', secretAccessKey: 'b' },
  })
  const answer = await client.send(
    new InvokeCommand({
      FunctionName: 'order',
      Payload: JSON.stringify({ name: 'Ada' }),
      DurableExecutionName: 'one',
    }),
  )
  console.log(
    answer.DurableExecutionArn,
    answer.FunctionError,
    Buffer.from(answer.Payload!).toString(),
    under.notices,
  )
  const { Events } = await client.send(
    new GetDurableExecutionHistoryCommand({
      DurableExecutionArn: answer.DurableExecutionArn,
      IncludeExecutionData: true,
    }),
  )
  console.log(JSON.stringify(Events, null, 1))
  expect(Buffer.from(answer.Payload!).toString()).toBe('"Hello, Ada!"')
})
