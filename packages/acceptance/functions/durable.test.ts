import { LocalDurableTestRunner } from '@aws/durable-execution-sdk-js-testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { executionModeDurableContext } from '@middy/core/DurableContext'
import { type Middleware, type Plugin, signalbox } from '@signalbox/core'
import { callback, durable, durableOperations, map, step, wait } from '@signalbox/core/durable'
import { json, loadBalancer, post } from '@signalbox/load-balancer'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { mailFlow } from '@signalbox/mail-flow'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { queue } from '@signalbox/queue'
import { queueEvent } from '@signalbox/queue/testing'
import { userPool } from '@signalbox/user-pool'
import { preSignUpEvent } from '@signalbox/user-pool/testing'

beforeAll(() => LocalDurableTestRunner.setupTestEnvironment({ skipTime: true }))
afterAll(() => LocalDurableTestRunner.teardownTestEnvironment())

type Runner = LocalDurableTestRunner<unknown>

const ways = {
  'durable() around signalbox()': (plugin: Plugin, middleware: Middleware) =>
    durable(signalbox(plugin).use(middleware)),
  'middy’s execution mode': (plugin: Plugin, middleware: Middleware) =>
    signalbox(plugin, { executionMode: executionModeDurableContext }).use([durableOperations(), middleware]),
}

describe.each(Object.entries(ways))('%s', (_way, make) => {
  /** Runs an execution to its end. `during` may complete its callbacks. */
  async function execution(plugin: Plugin, event: object, during?: (runner: Runner) => Promise<unknown>) {
    const hooks: string[] = []
    const handler = make(plugin, {
      before: () => void hooks.push('before'),
      after: () => void hooks.push('after'),
    })
    const runner: Runner = new LocalDurableTestRunner({ handlerFunction: handler as never })
    const running = runner.run({ payload: event })
    await during?.(runner)
    const result = await running
    const names = result.getOperations().map(each => each.getName())
    return { hooks, result: result.getResult(), names, invocations: result.getInvocations().length }
  }

  it('gives a route of a load balancer steps and waits, each of which runs once', async () => {
    const steps: string[] = []
    const shop = loadBalancer([
      post('/orders/{id}', async ({ params }) => {
        const receipt = await step('charge', () => {
          steps.push('charge')
          return `receipt of ${params.id}`
        })
        await wait('cool off', { hours: 1 })
        await step('ship', () => void steps.push('ship'))
        return json({ receipt })
      }),
    ])
    const { result, hooks, names, invocations } = await execution(shop, httpEvent('POST', '/orders/7'))
    expect(result).toMatchObject({ statusCode: 200, body: '{"receipt":"receipt of 7"}' })
    expect(steps).toEqual(['charge', 'ship'])
    expect(names).toEqual(['charge', 'cool off', 'ship'])
    // The runner skips time, and does not always begin another invocation for that.
    expect(hooks).toEqual([...Array(invocations).fill('before'), 'after'])
  })

  it('gives each message of a batch its own steps, whatever the order in which the messages continue', async () => {
    const steps: string[] = []
    const orders = queue({
      concurrency: 2,
      onMessage: async ({ body }) => {
        await wait('pause', { seconds: { a: 30, b: 10, c: 20 }[body]! })
        const got = await step('handle', () => {
          steps.push(body)
          return body
        })
        if (got !== body) throw new Error(`${body} got ${got}`)
      },
    })
    const event = queueEvent({ bodies: ['a', 'b', 'c'] })
    const { result, names } = await execution(orders, event)
    expect(result).toEqual({ batchItemFailures: [] })
    expect(steps.toSorted()).toEqual(['a', 'b', 'c'])
    expect(names.filter(name => name?.startsWith('message'))).toEqual(['message 1', 'message 2', 'message 3'])
  })

  it('reports the messages that failed, and does not handle the others again', async () => {
    const handled: string[] = []
    const failures: unknown[] = []
    const orders = queue({
      log: false,
      onFailure: (_message, reason) => void failures.push(reason),
      onMessage: async ({ body }) => {
        handled.push(body)
        if (body === 'bad') throw new RangeError('bad')
        if (body === 'slow') await wait('pause', { hours: 5 })
      },
    })
    const event = queueEvent({ bodies: ['good', 'bad', 'slow'] })
    const { result } = await execution(orders, event)
    expect(result).toEqual({ batchItemFailures: [{ itemIdentifier: event.Records[1]!.messageId }] })
    // The runner skips time, and does not always begin another invocation for that.
    expect(handled.filter(body => body !== 'slow')).toEqual(['good', 'bad'])
    expect(failures[0]).toBeInstanceOf(RangeError)
  })

  it('lets the function for a mail wait for a callback', async () => {
    const ids: string[] = []
    const mailroom = mailFlow(async (_mail, actions) => {
      const decision = await callback('ask', id => void ids.push(id), { timeout: { days: 1 } })
      return decision === 'drop' ? actions.drop() : actions.default()
    })
    const { result } = await execution(mailroom, mailEvent(), async runner => {
      const ask = runner.getOperation('ask')
      await ask.waitForData()
      const started = runner.getOperationByIndex(1)
      await started.waitForData()
      await started.sendCallbackSuccess('drop')
    })
    expect(ids).toHaveLength(1)
    expect(result).toMatchObject({ actions: [{ action: { type: 'DROP' } }] })
  })

  it('lets a trigger of a user pool run steps for the items of a list', async () => {
    const checks = userPool({
      PreSignUp_SignUp: async ({ userName }) => {
        const batch = await map('checks', ['spam', 'age'], (check, index) =>
          step('check', () => `${index} ${check} ${userName}`),
        )
        batch.throwIfError()
        return { autoConfirmUser: batch.getResults().join() === '0 spam ada,1 age ada' }
      },
    })
    const { result } = await execution(checks, preSignUpEvent())
    expect(result).toMatchObject({ response: { autoConfirmUser: true } })
  })
})
