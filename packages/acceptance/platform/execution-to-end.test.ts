import { withDurableExecution } from '@aws/durable-execution-sdk-js'
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda'
import { expect, it } from '@jest/globals'
import { executionSources } from './testing/execution-sources.ts'

const month = 30 * 24 * 3600

it('runs an execution to its end, through waits, retries, callbacks and calls', async () => {
  let attempts = 0
  const callee = (client: LambdaClient) =>
    withDurableExecution(
      async (_event: unknown, context) => {
        await context.wait('deep', { days: 2 })
        return 'called'
      },
      { client },
    )
  let lambda: LambdaClient | undefined
  await using under = await executionSources(
    client => {
      lambda = client
      return withDurableExecution(
        async (_event: unknown, context) => {
          await context.wait('rest', { days: 20 })
          await context.step('flaky', async () => {
            if (++attempts < 3) throw new Error('not yet')
          })
          const called = await context.invoke('call', 'called', {})
          const plain = await context.invoke('plain', 'plain', 21)
          const answer = await context.waitForCallback('approval', async () => {}, { timeout: { days: 1 } })
          await context.wait('end', { hours: 7 })
          return { called, plain, answer }
        },
        { client },
      )
    },
    {
      functions: {
        called: {
          handler: ((event: never, context: never) => callee(lambda!)(event, context)) as never,
          durable: { timeout: month },
        },
        plain: { handler: async (event: unknown) => Number(event) * 2 },
      },
      control: { port: 0, testing: true },
    },
    { timeout: month },
  )
  const ask = async (method: string, path: string) =>
    (await fetch(`${under.urlOf('control')}/testing${path}`, { method })).json() as Promise<never>
  await under.lambda.send(
    new InvokeCommand({ FunctionName: 'order', InvocationType: 'Event', Payload: '{}' }),
  )
  const [{ id, ...listed }] = (await ask('GET', '/executions?function=order')) as [{ readonly id: string }]
  expect(listed).toEqual({ function: 'order', name: id, status: 'RUNNING' })
  const waiting: { readonly callbacks: readonly { readonly id: string }[] } = await ask(
    'POST',
    `/executions/${id}/end`,
  )
  expect(waiting).toMatchObject({ status: 'RUNNING', callbacks: [{ id: expect.any(String) }] })
  expect(attempts).toBe(3)
  await under.answer(waiting.callbacks[0]!.id, '"paid"')
  expect(await ask('POST', `/executions/${id}/end`)).toMatchObject({
    ...{ status: 'SUCCEEDED', callbacks: [] },
    result: JSON.stringify({ called: 'called', plain: 42, answer: '"paid"' }),
  })
  expect(under.clock.now() - 1_900_000_000_000).toBeGreaterThan(22 * 24 * 3_600_000)
  expect(await ask('POST', '/executions/unknown/end')).toMatchObject({ error: expect.any(String) })
})
