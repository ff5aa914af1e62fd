import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { SQS } from '@aws-sdk/client-sqs'
import { describe, expect, it } from '@jest/globals'
import { type ManualClock, manualClock } from '@signalbox/core/testing'
import { endpointServer } from '@signalbox/platform-runtime/testing/endpoint-server'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { invokePlatform, lambdaClient } from '../testing/invoke-platform.ts'

const later = { InvocationType: 'Event' as const }

/** Waits until a condition holds. */
async function until(holds: () => boolean | Promise<boolean>) {
  while (!(await holds())) await new Promise(setImmediate)
}

/** Reads the messages of a queue with the AWS SDK client for SQS. */
async function messagesOf(url: string, queue: string) {
  const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'none' }
  const sqs = new SQS({ region: 'local', endpoint: url, credentials })
  const QueueUrl = `${url}/000000000000/${queue}`
  const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 })
  sqs.destroy()
  return Messages.map(({ Body }) => JSON.parse(Body!) as Record<string, unknown>)
}

describe('an asynchronous event', () => {
  it('is accepted at once, and runs with the request id that the client got', async () => {
    const ran: unknown[] = []
    await using setup = await invokePlatform({
      functions: {
        work: { handler: (event: unknown, { requestId }) => void ran.push([event, requestId]) },
      },
    })
    const ClientContext = Buffer.from('{"a":1}').toString('base64')
    const { StatusCode, payload, $metadata } = await setup.invoke(
      'work',
      { n: 1 },
      { ...later, ClientContext },
    )
    expect({ StatusCode, payload }).toEqual({ StatusCode: 202, payload: undefined })
    await until(() => ran.length > 0)
    expect(ran).toEqual([[{ n: 1 }, $metadata.requestId]])
  })

  it('is retried after one minute and again after two minutes, and then goes to the onFailure queue', async () => {
    const clock = manualClock(1_700_000_000_000)
    const times: number[] = []
    await using setup = await invokePlatform(
      {
        functions: {
          work: {
            handler() {
              times.push((clock.now() - 1_700_000_000_000) / 1000)
              throw new Error('no')
            },
          },
        },
        queues: { failed: {} },
        queueListener: { port: 0 },
        invoke: { onFailure: 'failed' },
      },
      { clock },
    )
    const { $metadata } = await setup.invoke('work', { n: 1 }, later)
    for (const count of [1, 2, 3]) {
      await until(() => times.length === count)
      await until(() => clock.waiting > 0 || count === 3)
      for (let i = 0; i < 130 && count < 3 && times.length === count; i++) await clock.advance(1000)
    }
    expect(times).toEqual([0, 60, 180])
    let messages: readonly Record<string, unknown>[] = []
    await until(async () => {
      messages = await messagesOf(setup.urlOf('queues'), 'failed')
      return messages.length > 0
    })
    expect(messages).toEqual([
      {
        version: '1.0',
        timestamp: new Date(clock.now()).toISOString(),
        requestContext: {
          requestId: $metadata.requestId,
          functionArn: 'arn:aws:lambda:local:000000000000:function:work:$LATEST',
          condition: 'RetriesExhausted',
          approximateInvokeCount: 3,
        },
        requestPayload: { n: 1 },
        responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
        responsePayload: { errorType: 'Error', errorMessage: 'no', trace: expect.any(Array) },
      },
    ])
    const log = await setup.platform.invocationLog.list()
    expect(log.map(({ attempt, requestId }) => [attempt, requestId])).toEqual(
      [1, 2, 3].map(attempt => [attempt, $metadata.requestId]),
    )
  })

  it('expires without using up attempts if its function cannot be called', async () => {
    await using none = await endpointServer(response => response.writeHead(404).end())
    const clock = manualClock(1_700_000_000_000)
    await using setup = await invokePlatform(
      {
        functions: { gone: { url: none.url, timeout: 900 } },
        queues: { failed: {} },
        queueListener: { port: 0 },
        invoke: { functions: { gone: { maximumEventAge: 60, onFailure: 'failed' } } },
      },
      { clock },
    )
    await setup.invoke('gone', { n: 1 }, later)
    let messages: readonly Record<string, unknown>[] = []
    await until(async () => {
      await clock.advance(1000)
      messages = await messagesOf(setup.urlOf('queues'), 'failed')
      return messages.length > 0
    })
    expect(messages).toMatchObject([
      {
        requestContext: { condition: 'EventAgeExceeded', approximateInvokeCount: 0 },
        requestPayload: { n: 1 },
      },
    ])
    expect(messages[0]).not.toHaveProperty('responsePayload')
    expect(clock.now()).toBeGreaterThan(1_700_000_060_000)
  })

  it('is dropped with a notice after its last failure when no onFailure queue is set', async () => {
    await using setup = await invokePlatform({
      functions: {
        work: {
          handler() {
            throw new Error('no')
          },
        },
      },
      invoke: { maximumRetryAttempts: 0 },
    })
    const { $metadata } = await setup.invoke('work', {}, later)
    await until(() => setup.notices.length > 0)
    expect(setup.notices).toEqual([`Event ${$metadata.requestId} of work failed 1 times, and is dropped.`])
  })

  it('waits for a free instance of its function, but not for events of other functions', async () => {
    let running = 0
    let most = 0
    const release: (() => void)[] = []
    await using setup = await invokePlatform({
      functions: {
        slow: {
          instances: 2,
          async handler() {
            most = Math.max(most, ++running)
            await new Promise<void>(resolve => release.push(resolve))
            running--
          },
        },
        fast: { handler: () => 1 },
      },
    })
    for (let i = 0; i < 5; i++) await setup.invoke('slow', i, later)
    await setup.invoke('fast', {}, later)
    const logged = async (functionName: string) =>
      (await setup.platform.invocationLog.list({ functionName })).length
    await until(async () => (await logged('fast')) === 1)
    expect(await logged('slow')).toBe(0)
    await until(async () => {
      release.shift()?.()
      return (await logged('slow')) === 5
    })
    expect(most).toBe(2)
  })
})

it('events that were accepted before the platform was killed run after the next start, with the same request ids', async () => {
  using folder = temporaryFolder()
  const program = fileURLToPath(new URL('../testing/invoke-to-kill.ts', import.meta.url))
  const child = fork(program, [folder.path], { execArgv: ['--conditions=@signalbox/source'] })
  const [url] = (await once(child, 'message')) as [string]
  const isRunning = once(child, 'message')
  const client = lambdaClient(url)
  const accepted = await Promise.all(
    Array.from(
      { length: 20 },
      async (_, n) => (await client.invoke('work', { n }, later)).$metadata.requestId!,
    ),
  )
  await isRunning
  child.kill('SIGKILL')
  await once(child, 'close')
  client.destroy()

  const ran = new Set<string>()
  await using _setup = await invokePlatform({
    functions: { work: { handler: (_event: unknown, { requestId }) => void ran.add(requestId!) } },
    dataDir: folder.path,
  })
  await until(() => ran.size === accepted.length)
  expect([...ran].sort()).toEqual(accepted.sort())
})

it('an event during which the platform ends at every start is tried three times, and is then dropped', async () => {
  using folder = temporaryFolder()
  const program = fileURLToPath(new URL('../testing/invoke-to-kill.ts', import.meta.url))
  const start = async () => {
    const child = fork(program, [folder.path], { execArgv: ['--conditions=@signalbox/source'] })
    const [url] = (await once(child, 'message')) as [string]
    return { child, url }
  }
  const first = await start()
  const client = lambdaClient(first.url)
  let isRunning = once(first.child, 'message')
  const { $metadata } = await client.invoke('work', {}, later)
  client.destroy()
  let { child } = first
  for (const attempt of [1, 2, 3]) {
    await isRunning
    child.kill('SIGKILL')
    await once(child, 'close')
    if (attempt === 3) break
    child = (await start()).child
    isRunning = once(child, 'message')
  }
  const ran: unknown[] = []
  await using setup = await invokePlatform({
    functions: { work: { handler: (event: unknown) => void ran.push(event) } },
    dataDir: folder.path,
  })
  await until(() => setup.notices.length > 0)
  expect(setup.notices).toEqual([`Event ${$metadata.requestId} of work failed 3 times, and is dropped.`])
  expect(ran).toEqual([])
})

it('an event of any depth goes to the onFailure queue', async () => {
  await using setup = await invokePlatform({
    functions: {
      work: {
        handler() {
          throw new Error('no')
        },
      },
    },
    queues: { failed: {} },
    queueListener: { port: 0 },
    invoke: { onFailure: 'failed', maximumRetryAttempts: 0 },
  })
  const Payload = Buffer.from('['.repeat(20_000) + ']'.repeat(20_000))
  await setup.invoke('work', undefined, { ...later, Payload })
  let messages: readonly Record<string, unknown>[] = []
  await until(async () => {
    messages = await messagesOf(setup.urlOf('queues'), 'failed')
    return messages.length > 0
  })
  // The nested arrays are left out, because a comparison needs the stack for each level.
  const [{ requestPayload, ...document } = {}] = messages
  expect(document).toMatchObject({
    requestContext: { approximateInvokeCount: 1 },
    responsePayload: { errorMessage: 'no' },
  })
  expect(requestPayload).toHaveLength(1)
})

it('an event that fails because the platform stops does not use up an attempt, and runs again after the next start', async () => {
  using folder = temporaryFolder()
  let fail: (() => void) | undefined
  const ran: unknown[] = []
  const config = { dataDir: folder.path, grace: 30, invoke: { port: 0, maximumRetryAttempts: 0 } }
  const first = await invokePlatform({
    ...config,
    functions: {
      work: {
        handler: () =>
          new Promise((_, reject) => {
            fail = () => reject(new Error('The platform stops.'))
          }),
      },
    },
  })
  await first.invoke('work', { number: 7 }, later)
  await until(() => fail !== undefined)
  const stopped = first[Symbol.asyncDispose]()
  fail!()
  await stopped
  expect(first.notices).toEqual([])

  await using _second = await invokePlatform({
    ...config,
    functions: { work: { handler: (event: unknown) => void ran.push(event) } },
  })
  await until(() => ran.length > 0)
  expect(ran).toEqual([{ number: 7 }])
})

it('an event that failed while the clock was ahead runs again a minute after the platform starts with the right time', async () => {
  using folder = temporaryFolder()
  const now = 1_700_000_000_000
  const ran: unknown[] = []
  const start = (clock: ManualClock, handler: () => void) =>
    invokePlatform({ dataDir: folder.path, functions: { work: { handler } } }, { clock })
  const ahead = await start(manualClock(now + 5 * 365 * 86_400_000), () => {
    ran.push('ahead')
    throw new Error('no')
  })
  await ahead.invoke('work', 7, later)
  await until(async () => (await ahead.platform.invocationLog.list()).length > 0)
  await ahead[Symbol.asyncDispose]()
  const clock = manualClock(now)
  await using _corrected = await start(clock, () => void ran.push('corrected'))
  await until(async () => {
    await clock.advance(1000)
    return ran.length > 1
  })
  expect(ran).toEqual(['ahead', 'corrected'])
  expect(clock.now() - now).toBeLessThan(120_000)
})
