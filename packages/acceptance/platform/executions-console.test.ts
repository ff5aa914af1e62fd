import { setImmediate as turn } from 'node:timers/promises'
import { withDurableExecution } from '@aws/durable-execution-sdk-js'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { createPlatform } from '@signalbox/platform'

const key = (id: string) => ({ id, secret: `secret-of-${id}-which-is-long` })
const password = 'Correct-horse-7'

let endpoint = ''
const client = new LambdaClient({
  region: 'local',
  endpoint: async () => {
    const { protocol, hostname, port } = new URL(endpoint)
    return { protocol, hostname, port: Number(port), path: '/' }
  },
  credentials: { accessKeyId: 'AKIATEST', secretAccessKey: 'none-which-is-long-enough' },
})

/** Reserves in the third attempt, and then waits for somebody who says that the order is paid. */
const order = withDurableExecution(
  async ({ number }: { readonly number: number }, context) => {
    let attempt = 0
    await context
      .step(
        'reserve',
        async () => {
          attempt++
          throw new Error(`The warehouse answered 50${attempt}.`)
        },
        { retryStrategy: (_, made) => ({ shouldRetry: made < 3, delay: { seconds: 60 } }) },
      )
      .catch(() => {})
    const paid = await context.waitForCallback<string>('paid', async () => {})
    return { number, paid }
  },
  { client },
)

/** Keeps more than a story shows. */
const large = withDurableExecution(
  async (_, context) => {
    for (let at = 0; at < 24; at++) await context.step(`step ${at}`, async () => 'x'.repeat(200_000))
  },
  { client },
)

// The client signs its requests by the time of this machine.
const began = Date.now()
const clock = manualClock(began)
const platform = createPlatform(
  {
    functions: {
      order: { handler: order as never, durable: { timeout: 86_400 } },
      large: { handler: large as never, durable: { timeout: 86_400 } },
    },
    invoke: { port: 0 },
    control: { port: 0 },
    access: {
      identities: {
        reader: { keys: [key('READ')], rights: { console: { read: ['*'] } } },
        actor: { keys: [key('ACT')], rights: { console: { read: ['*'], act: ['*'] } } },
        caller: {
          keys: [{ id: 'AKIATEST', secret: 'none-which-is-long-enough' }],
          rights: { functions: { invoke: ['order', 'large'] } },
        },
      },
    } as never,
    dataDir: ':memory:',
  },
  { clock, console: true, onNotice() {} },
)
let origin = ''
beforeAll(async () => {
  const addresses = await platform.start()
  endpoint = addresses.find(({ source }) => source === 'invoke')!.url
  origin = new URL(addresses.find(({ source }) => source === 'control')!.url).origin
})
afterAll(async () => {
  client.destroy()
  await platform.stop()
})

async function ask(id: 'READ' | 'ACT', path: string, body?: object) {
  const response = await fetch(`${origin}/console/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${id}.${key(id).secret}`,
      'x-signalbox-console': '1',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

async function start(number: number): Promise<string> {
  const { DurableExecutionArn } = await client.send(
    new InvokeCommand({
      ...{ FunctionName: 'order', InvocationType: 'Event', DurableExecutionName: `order-${number}` },
      Payload: JSON.stringify({ number, password }),
    }),
  )
  return DurableExecutionArn!.split('/').at(-1)!
}

/** Asks for a story until it is as it should be. */
async function storyWith(id: string, visitor: 'READ' | 'ACT', isRight: (story: Story) => boolean) {
  for (;;) {
    const { body } = await ask(visitor, `/executions/${id}`)
    if (isRight(body)) return body as Story
    await turn()
  }
}

interface Story {
  readonly execution: { readonly status: string }
  readonly input: string
  readonly isCut: boolean
  readonly steps: readonly {
    readonly name: string
    readonly type: string
    readonly state: string
    readonly callbackId?: string
    readonly attempts: readonly { readonly error: string }[]
  }[]
  readonly invocations: readonly unknown[]
}

const attempts = (story: Story) => story.steps[0]?.attempts.length

async function waiting(number: number): Promise<string> {
  const id = await start(number)
  for (let made = 1; made < 3; made++) {
    await storyWith(id, 'READ', story => attempts(story) === made)
    await clock.advance(60_000)
  }
  await storyWith(id, 'READ', story => story.steps.some(({ type }) => type === 'Callback'))
  return id
}

describe('the console', () => {
  it('tells the story of an execution, with the attempts of a step and without secrets', async () => {
    const id = await waiting(1)
    const story = await storyWith(id, 'READ', () => true)
    expect(story).toMatchObject({
      execution: { id, functionName: 'order', name: 'order-1', status: 'RUNNING' },
      input: JSON.stringify({ number: 1, password: '***' }),
      isCut: false,
    })
    expect(story.steps[0]).toMatchObject({
      ...{ name: 'reserve', type: 'Step', state: 'Failed', depth: 0 },
      attempts: [{ number: 1, againIn: 60 }, { number: 2, againIn: 60 }, { number: 3 }],
    })
    expect(story.steps[0]!.attempts.map(({ error }) => JSON.parse(error).ErrorMessage)).toEqual([
      'The warehouse answered 501.',
      'The warehouse answered 501.',
      'The warehouse answered 501.',
    ])
    expect(story.invocations.length).toBeGreaterThan(1)
    const { body: listed } = await ask('READ', '/executions?function=order&status=RUNNING')
    expect(listed).toMatchObject([{ id, name: 'order-1', startedAt: began }])
    const { body: events } = await ask('READ', `/executions/${id}/history?after=1`)
    expect(events[0]).toMatchObject({ id: 2, type: 'StepStarted', name: 'reserve' })
    expect(JSON.stringify(await ask('READ', `/executions/${id}/history`))).not.toContain(password)
  })

  it('lets who may act end a callback, and hides its id from others', async () => {
    const id = await waiting(2)
    const hasCallback = ({ steps }: Story) => steps.some(({ type }) => type === 'Callback')
    const hidden = await storyWith(id, 'READ', hasCallback)
    expect(JSON.stringify([hidden, await ask('READ', `/executions/${id}/history`)])).not.toMatch(
      /"callbackId"|CallbackId\\":\\"(?!hidden)/,
    )
    const { steps } = await storyWith(id, 'ACT', hasCallback)
    const { callbackId = '' } = steps.find(({ type }) => type === 'Callback')!
    const path = `/execution-callbacks/${encodeURIComponent(callbackId)}`
    expect((await ask('READ', path, { result: 'paid' })).status).toBe(403)
    expect((await ask('ACT', path, { result: 'paid' })).status).toBe(204)
    expect((await ask('ACT', path, { error: 'too late' })).status).toBe(409)
    const story = await storyWith(id, 'READ', ({ execution }) => execution.status !== 'RUNNING')
    expect(story).toMatchObject({ execution: { status: 'SUCCEEDED' }, result: '{"number":2,"paid":"paid"}' })
  })

  it('lets who may act stop an execution', async () => {
    const id = await start(3)
    const path = `/executions/${id}/stop`
    expect((await ask('READ', path, {})).status).toBe(403)
    expect((await ask('ACT', path, { reason: 'no longer wanted' })).status).toBe(204)
    expect(await ask('READ', `/executions/${id}`)).toMatchObject({
      body: { execution: { status: 'STOPPED' }, error: '{"ErrorMessage":"no longer wanted"}' },
    })
    expect(await ask('ACT', path, {})).toMatchObject({ status: 409 })
  })

  it('shows what an execution waited for as stopped, once it has ended', async () => {
    const id = await waiting(4)
    await storyWith(id, 'ACT', ({ steps }) => steps.some(({ callbackId }) => callbackId !== undefined))
    await ask('ACT', `/executions/${id}/stop`, {})
    const { steps } = await storyWith(id, 'ACT', ({ execution }) => execution.status === 'STOPPED')
    expect(steps.find(({ type }) => type === 'Callback')).toMatchObject({ state: 'Stopped' })
    expect(JSON.stringify(steps)).not.toContain('callbackId')
    expect(steps.map(({ state }) => state)).not.toContain('Started')
  })

  it('cuts the story of an execution that keeps very much', async () => {
    const { DurableExecutionArn } = await client.send(
      new InvokeCommand({ FunctionName: 'large', InvocationType: 'Event', Payload: '{}' }),
    )
    const id = DurableExecutionArn!.split('/').at(-1)!
    const { isCut, steps } = await storyWith(id, 'READ', ({ execution }) => execution.status === 'SUCCEEDED')
    expect([isCut, steps.length]).toEqual([true, 21])
  })

  it.each([
    ['/executions/none', 'There is no execution none.'],
    ['/executions/none/history', 'There is no execution none.'],
    ['/executions?function=none', 'There is no durable function none.'],
  ])('says what is missing for %s', async (path, error) => {
    expect(await ask('ACT', path)).toEqual({ status: 404, body: { error } })
  })
})
