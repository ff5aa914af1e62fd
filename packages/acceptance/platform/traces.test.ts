import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { createPlatform } from '@signalbox/platform'
import { captureTerminal } from '@signalbox/platform/testing/capture-terminal'
import { commands } from '@signalbox/platform/testing/whole-program'
import { run } from '@signalbox/platform-runtime/command-line'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { type SeenSpan, startReceiver } from '@signalbox/telemetry/testing/otlp-receiver'

const client = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const pathOf = (name: string) => fileURLToPath(new URL(`./testing/${name}.ts`, import.meta.url))

afterEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name]
})

/** The places where functions run. Each has the handler of `traced-functions.ts`. */
const places = {
  'in this process': async () => ({ handler: (await import('./testing/traced-functions.ts')).handler }),
  'in instances': async () => ({ module: pathOf('traced-functions') }),
  'behind the runtime interface': async () => ({
    command: [process.execPath, '--conditions=@signalbox/source', pathOf('traced-runtime')],
  }),
}

const configOf = (code: object, dataDir: string) =>
  ({
    functions: { all: { ...code, timeout: 5 } },
    loadBalancers: { web: { function: 'all', port: 0 } },
    queues: { orders: { function: 'all', visibilityTimeout: 10 } },
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
    dataDir,
  }) as never

async function startPlatform(code: object, dataDir = ':memory:') {
  const clock = manualClock(Date.now())
  const notices: string[] = []
  const platform = createPlatform(configOf(code, dataDir), { clock, onNotice: text => notices.push(text) })
  const addresses = await platform.start()
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
    expect(JSON.stringify(spans)).not.toMatch(/hunter2|4111|Right-7even|ann@/)
  }, 60_000)
})

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
    line.replace(/^(.) +\+[\d.]+ m?s +[\d.]+ m?s /, '$1').replace(/ (after|#).*/, ''),
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
  expect(printed).toMatch(/attempt 3 → .* after [\d.]+ s #\d+$/m)
  expect(await signalbox('trace', '3')).toContain(title)
}, 60_000)
