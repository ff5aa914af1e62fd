import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { createPlatform } from '@signalbox/platform'
import { captureTerminal } from '@signalbox/platform/testing/capture-terminal'
import { commands } from '@signalbox/platform/testing/whole-program'
import { askHook, harakaRequest } from '@signalbox/platform-mail/testing/hook-requests'
import { hooksSecret } from '@signalbox/platform-mail/testing/verdict-cases'
import { run } from '@signalbox/platform-runtime/command-line'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { type SeenSpan, startReceiver } from '@signalbox/telemetry/testing/otlp-receiver'
import { corpus, secret } from '@signalbox/telemetry/testing/secret-corpus'

const client = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const functions = fileURLToPath(new URL('./testing/traced-functions.ts', import.meta.url))
const runtime = fileURLToPath(new URL('./testing/traced-runtime.ts', import.meta.url))

afterEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name]
})

/** The places where functions run. Each has the handler of `traced-functions.ts`. */
const places = {
  'in this process': async () => ({ handler: (await import('./testing/traced-functions.ts')).handler }),
  'in instances': async () => ({ module: functions }),
  'behind the runtime interface': async () => ({
    command: [process.execPath, '--conditions=@signalbox/source', runtime],
  }),
}

// The clock of a test advances a second in some milliseconds. Much time keeps slow functions from running out of it.
const configOf = (code: object, dataDir: string, queue = {}) =>
  ({
    functions: { all: { ...code, timeout: 20 } },
    loadBalancers: { web: { function: 'all', port: 0 } },
    queues: { orders: { function: 'all', visibilityTimeout: 40, ...queue } },
    queueListener: { port: 0 },
    userPools: {
      staff: {
        triggers: { PreSignUp: 'all', PostAuthentication: 'all' },
        clients: { web: { id: 'web', flows: ['password'] } },
      },
    },
    userPoolListener: { port: 0 },
    mail: {
      port: 0,
      domains: { 'office.example': { to: 'mailboxes' } },
      rules: [{ direction: 'INBOUND', function: 'all', mode: 'sync' }],
    },
    control: { port: 0 },
    dataDir,
  }) as never

/** The wall clock is set forward by so many milliseconds after the start, which is no time that anything has waited. */
const hour = 3_600_000

async function startPlatform(code: object, dataDir = ':memory:', queue = {}) {
  const clock = manualClock(Date.now())
  const notices: string[] = []
  const platform = createPlatform(configOf(code, dataDir, queue), {
    clock,
    onNotice: text => notices.push(text),
  })
  const addresses = await platform.start()
  clock.jump(hour)
  const url = (part: string) => addresses.find(({ source }) => source.includes(part))!.url
  await fetch(url('user pool'), {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSCognitoIdentityProviderService.SignUp',
    },
    body: JSON.stringify({ ClientId: 'web', Username: 'ann', Password: 'Right-7even' }),
  })
  const to = { queues: url('queues'), pools: url('user pool'), smtp: url('mail'), client: 'web' }
  return {
    platform,
    clock,
    notices,
    to,
    url: `${url('load balancer')}/?to=${encodeURIComponent(JSON.stringify(to))}`,
  }
}

/** Moves the time until something is so. */
async function until(clock: ReturnType<typeof manualClock>, isSo: () => boolean) {
  while (!isSo()) {
    await new Promise(resolve => setTimeout(resolve, 20))
    await clock.advance(1000)
  }
}

/** Sends a message to the queue `orders`. */
async function sendMessage(queues: string, body: string, headers: { readonly [name: string]: string } = {}) {
  await fetch(queues, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.SendMessage',
      ...headers,
    },
    body: JSON.stringify({ QueueUrl: `${queues}/000000000000/orders`, MessageBody: body }),
  })
}

const times = (count: number, name: string) => Array<string>(count).fill(name)

/** The spans of a request whose function sends a message that fails twice, signs a user in, and sends a mail. */
const steps = [
  ...['GET', 'invoke all', 'GET /'],
  ...['send orders', ...times(3, 'wait orders'), ...times(3, 'invoke all'), 'delete orders'],
  // One for each batch, and one for its message.
  ...times(6, 'process orders'),
  ...['InitiateAuth', 'invoke all', 'PostAuthentication_Authentication'],
  ...['accept mail', 'wait mail inbound', 'invoke all', 'mail INBOUND', 'deliver mail'],
].sort()

const named = (spans: readonly SeenSpan[], name: string) => spans.filter(each => each.name === name)

describe.each(Object.entries(places))('with functions %s, a request', (_, codeOf) => {
  it('is one chain of spans, with each step once', async () => {
    await using receiver = await startReceiver()
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url
    const { platform, clock, url } = await startPlatform(await codeOf())
    const answer = await fetch(url, {
      headers: { traceparent: `00-${client.traceId}-${client.spanId}-01` },
    })
    expect([answer.status, await answer.text()]).toEqual([200, '{"sent":true}'])
    const chain = () => receiver.spans.filter(({ traceId }) => traceId === client.traceId)
    await until(clock, () => chain().length >= steps.length)
    await platform.stop()

    const spans = chain()
    expect(spans.map(({ name }) => name).sort()).toEqual(steps)
    const byId = new Map(spans.map(each => [each.spanId, each]))
    expect(byId.size).toBe(spans.length)
    const isReachable = ({ parentId }: SeenSpan): boolean =>
      parentId === client.spanId || (byId.has(parentId!) && isReachable(byId.get(parentId!)!))
    expect(spans.filter(each => !isReachable(each))).toEqual([])
    const parentOf = (name: string) =>
      [...new Set(named(spans, name).map(each => byId.get(each.parentId!)?.name))].sort()
    expect(parentOf('GET /')).toEqual(['invoke all'])
    expect(parentOf('invoke all')).toEqual(['GET', 'InitiateAuth', 'wait mail inbound', 'wait orders'])
    for (const name of ['send orders', 'wait orders', 'InitiateAuth', 'accept mail'])
      expect([name, parentOf(name)]).toEqual([name, ['GET /']])
    expect(parentOf('delete orders')).toEqual(['invoke all'])
    expect(parentOf('deliver mail')).toEqual(['accept mail'])
    expect(
      named(spans, 'wait orders')
        .map(({ attributes }) => attributes['signalbox.attempt'])
        .sort(),
    ).toEqual([1, 2, 3])
    expect(spans.filter(({ took }) => took >= hour)).toEqual([])
    expect(JSON.stringify(spans)).not.toMatch(/hunter2|4111 1111|Right-7even|ann@/)
  }, 60_000)
})

it('a mail that another server asks about begins a trace, whatever its head says', async () => {
  await using receiver = await startReceiver()
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url
  const config = configOf(await places['in this process'](), ':memory:') as { readonly mail: object }
  const hooks = { port: 0, secret: hooksSecret }
  const platform = createPlatform({ ...config, mail: { ...config.mail, hooks } } as never)
  const addresses = await platform.start()
  const { url } = addresses.find(each => each.source.includes('hook'))!
  const headers = [['traceparent', ` 00-${client.traceId}-${client.spanId}-01`]] as const
  const answer = await askHook(url, harakaRequest({ to: ['ann@office.example'], headers }))
  await platform.stop()
  expect(answer.status).toBe(200)
  const [accepted] = named(receiver.spans, 'accept mail')
  expect([accepted!.parentId, accepted!.traceId === client.traceId]).toEqual([undefined, false])
  expect(named(receiver.spans, 'invoke all').map(({ parentId }) => parentId)).toEqual([accepted!.spanId])
}, 60_000)

it('without an endpoint, "signalbox trace" shows the chain of a request', async () => {
  process.env.OTEL_SDK_DISABLED = 'true'
  using folder = temporaryFolder()
  const { platform, clock, url } = await startPlatform(
    await places['in instances'](),
    join(folder.path, 'data'),
  )
  await fetch(url)
  const log = () => platform.invocationLog.list()
  let entries = await log()
  while (entries.length < 7) {
    await new Promise(resolve => setTimeout(resolve, 20))
    await clock.advance(1000)
    entries = await log()
  }
  await platform.stop()
  writeFileSync(
    join(folder.path, 'signalbox.config.mjs'),
    `export default ${JSON.stringify(configOf(await places['in instances'](), 'data'))}`,
  )
  const requestId = entries.find(({ source }) => source.startsWith('load'))!.requestId
  const signalbox = async (...words: string[]) => {
    const captured = captureTerminal(folder.path)
    expect(await run(words, commands, '1', captured.terminal)).toBe(0)
    return captured.printed
  }
  const printed = await signalbox('trace', requestId)
  const [title, ...lines] = printed.trimEnd().split('\n')
  expect(title).toMatch(/^trace [\da-f]{32}: 6 invocations in /)
  const shape = lines.map(line =>
    line.replace(/^(.) +\+[\d.]+ (?:m?s|min) +[\d.]+ (?:m?s|min) /, '$1').replace(/ (after|#).*/, ''),
  )
  const [request, ...rest] = shape
  const id = / ([\da-f-]{36}) failed/.exec(printed)![1]
  expect(request).toBe('▸load balancer web → all GET / → 200 OK')
  expect(rest.sort()).toEqual([
    '   mail inbound → all mail "Your order" → ann@office.example: deliver',
    '   queue orders → all 1 message of orders attempt 2 → partial: ' + id + ' failed',
    '   queue orders → all 1 message of orders attempt 3 → success: batchItemFailures is empty',
    '   queue orders → all 1 message of orders → partial: ' + id + ' failed',
    '   user pool staff → all PostAuthentication_Authentication → accepted with {}',
  ])
  expect(printed).toMatch(/attempt 3 → .* after [\d.]+ (?:s|min) #\d+$/m)
  expect(await signalbox('trace', '3')).toContain(title)
}, 60_000)

it('no secret that clients or functions write is in a span', async () => {
  await using receiver = await startReceiver()
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url
  const fail = (event: {
    readonly body?: string
    readonly Records?: readonly { readonly body: string }[]
  }) => {
    throw new Error(event.body ?? event.Records?.[0]?.body)
  }
  const { platform, url, to } = await startPlatform({ handler: fail })
  for (const text of corpus) {
    const address = `${url}&${encodeURIComponent(text)}`
    await Promise.all([fetch(address, { method: 'POST', body: text }), sendMessage(to.queues, text)])
  }
  await platform.stop()
  expect(named(receiver.spans, 'POST').length).toBe(corpus.length)
  expect(named(receiver.spans, 'send orders').length).toBe(corpus.length)
  expect(JSON.stringify([receiver.spans, receiver.resource()])).not.toContain(secret)
}, 60_000)

it('messages of several traces in one batch are linked to it, and a client’s trace is not sent if it is not sampled', async () => {
  await using receiver = await startReceiver()
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url
  const batches: number[] = []
  const handler = ({ Records }: { readonly Records: readonly object[] }) => void batches.push(Records.length)
  const { platform, clock, to } = await startPlatform({ handler }, ':memory:', {
    batchSize: 2,
    batchWindow: 60,
    visibilityTimeout: 80,
  })
  const unsampled = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-00`
  for (const traceparent of [`00-${client.traceId}-${client.spanId}-01`, unsampled])
    await sendMessage(to.queues, 'hello', { traceparent })
  await until(clock, () => batches.length > 0)
  await platform.stop()
  expect(batches).toEqual([2])
  expect(receiver.spans.filter(({ traceId }) => traceId === 'c'.repeat(32))).toEqual([])
  const [invoked] = named(receiver.spans, 'invoke all').filter(({ links }) => links.length > 0)
  const [waited] = named(receiver.spans, 'wait orders')
  expect(waited).toMatchObject({ traceId: client.traceId, parentId: client.spanId })
  expect(invoked!.links).toHaveLength(2)
  expect(invoked!.links).toContain(waited!.spanId)
}, 60_000)

it('without an endpoint, events and messages have nothing of a trace that clients did not send', async () => {
  const events: {
    readonly headers?: object
    readonly Records?: readonly { readonly attributes: object }[]
  }[] = []
  const handler = (event: (typeof events)[number]) => {
    events.push(event)
    return { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false }
  }
  const { platform, clock, url, to } = await startPlatform({ handler })
  await fetch(url)
  await sendMessage(to.queues, 'hello')
  await until(clock, () => events.some(({ Records }) => Records !== undefined))
  await platform.stop()
  expect(events.find(({ headers }) => headers !== undefined)!.headers).not.toHaveProperty('traceparent')
  expect(events.find(({ Records }) => Records !== undefined)!.Records![0]!.attributes).not.toHaveProperty(
    'CloudTraceHeader',
  )
}, 60_000)

it.each([
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    'OTEL_EXPORTER_OTLP_ENDPOINT is not the address of an HTTP server',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_SAMPLER: 'some' },
    'OTEL_TRACES_SAMPLER is "some", expected one of always_on',
  ],
])('a platform with %j does not start, and says why', (variables, why) => {
  Object.assign(process.env, variables)
  expect(() => createPlatform({ functions: {}, dataDir: ':memory:' } as never)).toThrow(
    `The traces of the platform: ${why}`,
  )
})

it('a receiver that is away changes nothing but a notice', async () => {
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:9'
  process.env.OTEL_TRACES_SAMPLER = 'always_on'
  const ok = { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false }
  const { platform, url } = await startPlatform({ handler: () => ok })
  expect((await fetch(url)).status).toBe(200)
  await platform.stop()
})

it('an asynchronous event that fails once has a span for its request, and for each wait and attempt', async () => {
  await using receiver = await startReceiver()
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url
  let attempts = 0
  const handler = () => {
    attempts++
    if (attempts === 1) throw new Error('not yet')
  }
  const clock = manualClock(Date.now())
  const platform = createPlatform(
    { functions: { all: { handler } }, invoke: { port: 0 }, dataDir: ':memory:' } as never,
    { clock },
  )
  const [{ url } = { url: '' }] = await platform.start()
  clock.jump(hour)
  await fetch(`${url}/2015-03-31/functions/all/invocations`, {
    method: 'POST',
    body: '{}',
    headers: {
      'x-amz-invocation-type': 'Event',
      'x-amzn-trace-id': `Root=1-0af76519-16cd43dd8448eb211c80319c;Parent=${client.spanId};Sampled=1`,
    },
  })
  await until(clock, () => attempts === 2)
  await platform.stop()
  const [accepted] = named(receiver.spans, 'Invoke')
  expect(accepted).toMatchObject({ ...client, spanId: accepted!.spanId, parentId: client.spanId })
  const waits = named(receiver.spans, 'wait all')
  expect(waits.filter(({ took }) => took >= hour)).toEqual([])
  expect(waits.map(({ parentId }) => parentId)).toEqual([accepted!.spanId, accepted!.spanId])
  expect(named(receiver.spans, 'invoke all').map(({ parentId, isError }) => [parentId, isError])).toEqual([
    [waits[0]!.spanId, true],
    [waits[1]!.spanId, false],
  ])
  expect(receiver.spans).toHaveLength(5)
}, 60_000)

it('the header traceparent of an event names the span that accepted the request, in place of the client’s', async () => {
  await using receiver = await startReceiver()
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url
  const headers: { readonly [name: string]: string }[] = []
  const handler = (event: { readonly headers?: (typeof headers)[number] }) => {
    if (event.headers !== undefined) headers.push(event.headers)
    return { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false }
  }
  const { platform, url } = await startPlatform({ handler })
  await fetch(url, { headers: { traceparent: `00-${client.traceId}-${client.spanId}-01` } })
  await platform.stop()
  const [accepted] = named(receiver.spans, 'GET')
  expect(headers).toMatchObject([{ traceparent: `00-${client.traceId}-${accepted!.spanId}-01` }])
}, 60_000)
