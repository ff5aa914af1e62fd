import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Config, createPlatform } from '@signalbox/platform'
import { invokePlatform } from '@signalbox/platform-invoke/testing/invoke-platform'
import { queueEvent } from '@signalbox/queue/testing'

const calls: unknown[] = []

/** The functions on the platform `far`, which the platform `near` calls. */
const functions: Config['functions'] = {
  site: {
    handler: ({ path }: { path: string }) => ({
      statusCode: 200,
      statusDescription: '200 OK',
      isBase64Encoded: false,
      headers: { 'content-type': 'text/plain' },
      body: `here is ${path}`,
    }),
  },
  work: {
    handler(event: { Records: { messageId: string }[] }) {
      calls.push(event)
      return {
        batchItemFailures: event.Records.slice(1).map(({ messageId }) => ({ itemIdentifier: messageId })),
      }
    },
  },
  bad: {
    handler() {
      throw new TypeError('no')
    },
  },
  slow: { handler: () => new Promise(() => {}), timeout: 0.05 },
}

describe.each([
  ['url', (url: string, name: string) => ({ url: `${url}/2015-03-31/functions/${name}/invocations` })],
  [
    'lambda',
    (endpoint: string, functionName: string) => ({ lambda: { functionName, region: 'local', endpoint } }),
  ],
])('a platform that calls functions on another platform with the option "%s"', (_way, elsewhere) => {
  let far: Awaited<ReturnType<typeof invokePlatform>>
  let near: ReturnType<typeof createPlatform>
  let site: string

  beforeAll(async () => {
    far = await invokePlatform({ functions: functions! })
    const names = ['site', 'work', 'bad', 'slow', 'none'] as const
    near = createPlatform({
      // The first call loads modules, which takes seconds on a busy machine.
      functions: Object.fromEntries(names.map(name => [name, { ...elsewhere(far.url, name), timeout: 60 }])),
      loadBalancers: { web: { port: 0, function: 'site' } },
      dataDir: ':memory:',
      grace: 1,
    })
    const [address] = await near.start()
    site = address!.url
  })

  afterAll(async () => {
    await near.stop()
    await far[Symbol.asyncDispose]()
  })

  it('answers HTTP requests with the responses of these functions', async () => {
    const response = await fetch(`${site}/orders`)
    expect([response.status, await response.text()]).toEqual([200, 'here is /orders'])
  })

  it('computes the verdict on a batch that one of these functions handles', async () => {
    const event = queueEvent({ bodies: ['a', 'b'] })
    const { verdict, payload } = await near.invoke('work', event)
    expect(calls.at(-1)).toEqual(event)
    expect(JSON.parse(payload)).toEqual({
      batchItemFailures: [{ itemIdentifier: event.Records[1]!.messageId }],
    })
    expect(verdict).toMatchObject({ family: 'queue', kind: 'partial' })
  })

  it('reports the same failures as the other platform', async () => {
    const event = queueEvent({ bodies: ['a', 'b'] })
    const there = await far.platform.invoke('bad', event)
    const here = await near.invoke('bad', event)
    expect(here).toMatchObject({ failure: there.failure, verdict: there.verdict })
    expect(JSON.parse(here.payload)).toMatchObject(JSON.parse(there.payload))
    expect((await far.platform.invoke('slow', event)).failure?.kind).toBe('timeout')
    expect((await near.invoke('slow', event)).failure).toEqual({
      kind: 'timeout',
      message: expect.stringMatching(/ Task timed out after \d\.\d\d seconds$/),
    })
  })

  it('reports "unavailable" if the other platform has no function with that name', async () => {
    expect((await near.invoke('none', {})).failure).toMatchObject({ kind: 'unavailable' })
  })
})

it('the start reports functions on other hosts whose events are sent without encryption', async () => {
  const notices: string[] = []
  const lambda = { functionName: 'ship', region: 'local' }
  const platform = createPlatform(
    {
      functions: {
        open: { url: 'http://fn.example:8080/work?key=hidden' },
        cloud: { lambda: { ...lambda, endpoint: 'http://10.0.0.1' } },
        safe: { url: 'https://fn.example/work' },
        here: { url: 'http://127.0.0.1:8080/work' },
        default: { lambda },
      },
      dataDir: ':memory:',
    },
    { onNotice: text => notices.push(text) },
  )
  await platform.start()
  await platform.stop()
  const sent = (name: string, host: string) =>
    `The function ${name} gets its events from this platform without encryption, over http to ${host}. Events hold passwords and private messages: use https.`
  expect(notices).toEqual([sent('open', 'fn.example:8080'), sent('cloud', '10.0.0.1')])
})

it('createPlatform() refuses an unknown value of the option "unloadable"', () => {
  expect(() => createPlatform({}, { unloadable: 'ignore' as 'notice' })).toThrow(
    "createPlatform() takes 'refuse' or 'notice' as unloadable.",
  )
})
