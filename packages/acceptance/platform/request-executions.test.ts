import type { LambdaClient } from '@aws-sdk/client-lambda'
import { expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { callback, durable } from '@signalbox/core/durable'
import { json, loadBalancer, post } from '@signalbox/load-balancer'
import { createPlatform } from '@signalbox/platform'
import { executionSources } from './testing/execution-sources.ts'

/** A function that waits for an answer, and gives it to its client. */
function answers() {
  const asked: string[] = []
  const handlerOf = (client: LambdaClient) =>
    durable(
      signalbox(
        loadBalancer([
          post('/orders', async () =>
            json(
              { answer: await callback('approval', callbackId => void asked.push(callbackId)) },
              { status: 201 },
            ),
          ),
        ]),
      ),
      { client },
    )
  return { asked, handlerOf }
}

const balancer = (more: object = {}) => ({
  loadBalancers: {
    web: { port: 0, function: 'order', execution: { statusPath: '/orders/executions', ...more } },
  },
})

it('answers 202 at once, and shows how the execution goes', async () => {
  const { asked, handlerOf } = answers()
  await using under = await executionSources(handlerOf, {
    ...balancer(),
    functions: { other: { handler: () => ({ Status: 'SUCCEEDED' }), durable: { timeout: 60 } } },
  })
  const url = under.urlOf('load balancer web')!
  const order = (key?: string, body = '{"id":1}') =>
    fetch(`${url}/orders`, {
      ...{ method: 'POST', body },
      headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
    })
  const status = async (location: string) => (await fetch(`${url}${location}`)).json()

  const accepted = await order()
  expect(accepted.status).toBe(202)
  const location = accepted.headers.get('location')!
  expect(location).toMatch(/^\/orders\/executions\/[\da-f-]{36}$/)
  expect(await accepted.json()).toEqual({ status: 'RUNNING', location })
  await under.until(() => under.rest(1))
  expect(await status(location)).toEqual({ status: 'RUNNING' })
  await under.answer(asked[0]!, 'yes')
  await under.until(async () => ((await status(location)) as { status: string }).status !== 'RUNNING')
  expect(await status(location)).toMatchObject({
    status: 'SUCCEEDED',
    result: { statusCode: 201, body: '{"answer":"yes"}' },
  })

  // The same key and content are the same execution. Another content is another one.
  const key = '8e03978e-40d5-43dd-bc93-6894a57f9324'
  const first = await order(key)
  expect((await order(key)).headers.get('location')).toBe(first.headers.get('location'))
  expect((await order(key, '{"id":2}')).headers.get('location')).not.toBe(first.headers.get('location'))
  expect((await order('1')).status).toBe(400)

  const id = location.slice(location.lastIndexOf('/') + 1)
  for (const unknown of [id.replace(/.$/, each => (each === '0' ? '1' : '0')), '', '..', 'x'.repeat(3000)])
    expect((await fetch(`${url}/orders/executions/${unknown}`)).status).not.toBe(200)
  const removal = await fetch(`${url}${location}`, { method: 'DELETE' })
  expect([removal.status, removal.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

it('never shows the execution of another function', async () => {
  const { handlerOf } = answers()
  await using under = await executionSources(handlerOf, {
    functions: {
      other: { handler: async () => ({ Status: 'SUCCEEDED', Result: '1' }), durable: { timeout: 60 } },
    } as never,
    loadBalancers: {
      web: { port: 0, function: 'order', execution: { statusPath: '/orders/executions' } },
      side: { port: 0, function: 'other', execution: { statusPath: '/others' } },
    },
  })
  const accepted = await fetch(`${under.urlOf('load balancer side')}/`, { method: 'POST' })
  const location = accepted.headers.get('location')!
  const id = location.slice('/others/'.length)
  await under.until(async () => {
    const answer = await fetch(`${under.urlOf('load balancer side')}${location}`)
    return ((await answer.json()) as { status: string }).status === 'SUCCEEDED'
  })
  const answer = await fetch(`${under.urlOf('load balancer web')}/orders/executions/${id}`)
  expect(answer.status).toBe(404)
})

it('shows that an execution failed, without stack and secrets', async () => {
  await using under = await executionSources(
    () => async () => ({
      Status: 'FAILED',
      Error: { ErrorType: 'Refused', ErrorMessage: 'with Bearer abcdefghijklmnopqrstuvwxyz0123456789' },
    }),
    balancer(),
  )
  const url = under.urlOf('load balancer web')!
  const location = (await fetch(`${url}/orders`, { method: 'POST' })).headers.get('location')!
  let shown: unknown
  await under.until(async () => {
    shown = await (await fetch(`${url}${location}`)).json()
    return (shown as { status: string }).status !== 'RUNNING'
  })
  expect(shown).toEqual({
    status: 'FAILED',
    error: { type: 'Refused', message: 'with Bearer ***' },
  })
})

it('shows a result that is not JSON as a text, and takes only an id for the path of a status', async () => {
  await using under = await executionSources(
    () => async () => ({ Status: 'SUCCEEDED', Result: 'no JSON' }),
    balancer(),
  )
  const url = under.urlOf('load balancer web')!
  const location = (await fetch(`${url}/orders`, { method: 'POST' })).headers.get('location')!
  let shown: unknown
  await under.until(async () => {
    shown = await (await fetch(`${url}${location}`)).json()
    return (shown as { status: string }).status !== 'RUNNING'
  })
  expect(shown).toEqual({ status: 'SUCCEEDED', result: 'no JSON' })
  expect((await fetch(`${url}/orders/executions/17/lines`, { method: 'POST' })).status).toBe(202)
})

it('refuses what it cannot start, and paths that are not one', () => {
  const refusal = (web: object) => {
    try {
      createPlatform({
        functions: {
          order: { handler: () => null, durable: { timeout: 60 } },
          plain: { handler: () => null },
        },
        invoke: { port: 0 },
        loadBalancers: { web: { port: 0, ...web } },
      } as never)
    } catch (error) {
      return (error as Error).message
    }
    return 'accepted'
  }
  const execution = { statusPath: '/executions' }
  expect(refusal({ function: 'order', execution })).toBe('accepted')
  expect(refusal({ function: 'plain', execution })).toContain('a durable function beside it')
  expect(refusal({ function: 'order', execution: { statusPath: 'executions/' } })).toContain('a path')
  expect(refusal({ function: 'order', execution: { ...execution, onFailure: 'failed' } })).toContain(
    'a queue, but the configuration has none',
  )
  expect(
    refusal({ function: 'order', execution, rules: [{ path: ['/a'], function: 'order', execution }] }),
  ).toContain('/rules/0/execution/statusPath: expected a path that no other action has')
  expect(
    refusal({
      ...{ function: 'order', execution },
      rules: [{ path: ['/a'], function: 'order', execution: { statusPath: '/executions/below' } }],
    }),
  ).toContain('/rules/0/execution/statusPath: expected a path that no other action has')
})
