import {
  GetFunctionCodeSigningConfigCommand,
  GetFunctionCommand,
  GetPolicyCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
  ListFunctionsCommand,
  ListTagsCommand,
  ListVersionsByFunctionCommand,
} from '@aws-sdk/client-lambda'
import { expect, it } from '@jest/globals'
import { invokePlatform } from '../testing/invoke-platform.ts'

const handler = async () => ({ batchItemFailures: [] })
const key = { id: 'SBTEST', secret: 'a-secret-of-enough-length' }
const arn = 'arn:aws:lambda:local:000000000000:function:orders'

async function running(access?: object) {
  const under = await invokePlatform({
    functions: {
      orders: { handler, timeout: 2.5, memory: 512, durable: { timeout: 60, retention: 3 } },
      rest: { handler, tenancy: 'shared' },
    },
    queues: {
      orders: { function: 'orders', batchSize: 5, batchWindow: 1, filter: { body: { kind: ['order'] } } },
      idle: {},
    },
    queueListener: { port: 0 },
    ...access,
  } as never)
  const client = new LambdaClient({
    ...{ region: 'local', endpoint: under.url, maxAttempts: 1 },
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
  })
  return {
    client,
    async [Symbol.asyncDispose]() {
      client.destroy()
      await under[Symbol.asyncDispose]()
    },
  }
}

it('SDKs see the functions of the configuration', async () => {
  await using under = await running()
  const { client } = under
  const { Functions } = await client.send(new ListFunctionsCommand({}))
  expect(Functions!.map(({ FunctionName }) => FunctionName)).toEqual(['orders', 'rest'])
  const page = await client.send(new ListFunctionsCommand({ MaxItems: 1 }))
  expect((await client.send(new ListFunctionsCommand({ Marker: page.NextMarker }))).Functions).toMatchObject([
    { FunctionName: 'rest' },
  ])
  const { Configuration } = await client.send(new GetFunctionCommand({ FunctionName: arn }))
  expect(Configuration).toMatchObject({
    ...{ FunctionArn: arn, Timeout: 3, MemorySize: 512, State: 'Active', Version: '$LATEST' },
    DurableConfig: { ExecutionTimeout: 60, RetentionPeriodInDays: 3 },
  })
  const { Versions } = await client.send(new ListVersionsByFunctionCommand({ FunctionName: 'orders' }))
  expect(Versions).toMatchObject([{ FunctionArn: `${arn}:$LATEST`, Version: '$LATEST' }])
  expect(
    await client.send(new GetFunctionCodeSigningConfigCommand({ FunctionName: 'orders' })),
  ).toMatchObject({
    FunctionName: 'orders',
  })
  expect((await client.send(new ListTagsCommand({ Resource: arn }))).Tags).toEqual({})
  for (const command of [
    new GetFunctionCommand({ FunctionName: 'nobody' }),
    new GetPolicyCommand({ FunctionName: 'orders' }),
  ])
    await expect(client.send(command as GetFunctionCommand)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    })
})

it('with access, a client needs the right to read a function, or all of them', async () => {
  const access = (read: string[]) => ({
    access: { identities: { reader: { keys: [key], rights: { functions: { read } } } } },
  })
  await using one = await running(access(['orders']))
  expect(await one.client.send(new GetFunctionCommand({ FunctionName: 'orders' }))).toMatchObject({
    Tags: {},
  })
  for (const command of [
    new GetFunctionCommand({ FunctionName: 'rest' }),
    new ListFunctionsCommand({}),
    new ListEventSourceMappingsCommand({}),
  ])
    await expect(one.client.send(command as GetFunctionCommand)).rejects.toMatchObject({
      ...{
        name: 'AccessDeniedException',
        message: expect.stringContaining('no right to read it and its executions'),
      },
    })
  await using all = await running(access(['*']))
  expect((await all.client.send(new ListFunctionsCommand({}))).Functions).toHaveLength(2)
})
