import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { get, json, loadBalancer } from '@signalbox/load-balancer'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { ok, startBalancer } from '@signalbox/platform-load-balancer/testing/running-balancer'
import { talk } from '@signalbox/platform-runtime/testing/raw-client'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { queueEvent } from '@signalbox/queue/testing'
import { preSignUpEvent, userMigrationEvent } from '@signalbox/user-pool/testing'
import { createPlatform } from './platform.ts'

const request = (path = '/') => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

function platformWith(handler: (event: never) => unknown, options = {}) {
  const platform = createPlatform({ functions: { shop: { handler } }, dataDir: ':memory:' }, options)
  return { ...platform, [Symbol.asyncDispose]: platform.stop }
}

describe('invoke', () => {
  it.each<[string, unknown, (event: never) => unknown, object]>([
    [
      'a trigger that accepts',
      preSignUpEvent(),
      (event: object) => ({ ...event, response: { autoConfirmUser: true } }),
      { family: 'user-pool', kind: 'accepted', ok: true, text: 'accepted with {"autoConfirmUser":true}' },
    ],
    [
      'a trigger that denies',
      preSignUpEvent(),
      () => Promise.reject(new Error('Staff only')),
      { kind: 'denied', ok: true, text: 'denied: PreSignUp failed with error Staff only.' },
    ],
    ['a trigger with an invalid answer', preSignUpEvent(), () => 7, { kind: 'invalid', ok: false }],
    [
      'a batch that succeeds',
      queueEvent({ bodies: ['a'] }),
      () => undefined,
      { family: 'queue', kind: 'success', ok: true },
    ],
    [
      'a batch that fails in part',
      queueEvent({ bodies: ['a'] }),
      (event: { Records: { messageId: string }[] }) => ({
        batchItemFailures: [{ itemIdentifier: event.Records[0]!.messageId }],
      }),
      { kind: 'partial', ok: true, text: expect.stringMatching(/^partial: .* failed$/) },
    ],
    [
      'a batch that fails',
      queueEvent({ bodies: ['a'] }),
      () => {
        throw undefined
      },
      { kind: 'failure', ok: false },
    ],
    [
      'a mail that is dropped',
      mailEvent(),
      () => ({ actions: [{ action: { type: 'DROP' }, allRecipients: true }] }),
      { family: 'mail-flow', kind: 'decided', ok: true, text: 'ann@office.example: drop' },
    ],
    ['a mail without an answer', mailEvent(), () => null, { kind: 'failed', ok: false }],
    [
      'a request',
      httpEvent('GET', '/'),
      () => ok,
      { family: 'load-balancer', kind: 'answered', ok: true, text: '200 OK' },
    ],
    [
      'a request with a malformed answer',
      httpEvent('GET', '/'),
      () => ({}),
      { kind: 'malformed', ok: false, text: expect.stringMatching(/^502 Bad Gateway: .*statusCode/s) },
    ],
  ])('returns and logs the verdict on %s', async (_case, event, handler, verdict) => {
    await using platform = platformWith(handler)
    const before = structuredClone(event)
    const invocation = await platform.invoke('shop', event)
    expect(invocation.verdict).toMatchObject(verdict)
    expect(event).toEqual(before)
    expect(await platform.invocationLog.list()).toMatchObject([
      { source: 'invoke', requestId: invocation.requestId, verdict: { kind: invocation.verdict?.kind } },
    ])
  })

  it.each([
    ['breaks its contract', { Records: [{}] }],
    ['does not belong to a family', { hello: 1 }],
    ['is not an object', 'text'],
  ])('returns no verdict on an event that %s', async (_case, event) => {
    await using platform = platformWith(e => e)
    expect(await platform.invoke('shop', event)).toMatchObject({
      payload: JSON.stringify(event),
      verdict: undefined,
    })
  })

  it('returns a verdict on an event that has null in place of an empty map', async () => {
    await using platform = platformWith(event => event)
    const drifted = preSignUpEvent({ validationData: null as never })
    expect((await platform.invoke('shop', drifted)).verdict).toMatchObject({ kind: 'accepted' })
  })

  it.each([
    ['5 s for a trigger', preSignUpEvent(), 5_000],
    ['15 s for a mail', mailEvent(), 15_000],
    ['60 s, the timeout of the function, for a request', httpEvent('GET', '/'), 60_000],
  ])('has a time limit of %s', async (_case, event, limit) => {
    const clock = manualClock()
    const platform = createPlatform(
      { functions: { shop: { handler: () => new Promise(() => {}), timeout: 60 } }, dataDir: ':memory:' },
      { clock },
    )
    const invocation = platform.invoke('shop', event)
    await clock.advance(limit)
    expect((await invocation).failure?.message).toBe(`shop timed out after ${limit} ms`)
    const stopped = platform.stop()
    await clock.advance(60_000)
    await stopped
  })

  it('writes no secret to the invocation log', async () => {
    await using platform = platformWith(event => event)
    await platform.invoke('shop', userMigrationEvent({ password: 'hunter2-hunter2' }))
    expect(JSON.stringify(await platform.invocationLog.list())).not.toContain('hunter2')
  })

  it('rejects an unknown function, and createPlatform throws for unknown options', async () => {
    await using platform = platformWith(() => null)
    await expect(platform.invoke('shoop', {})).rejects.toThrow(
      'There is no function "shoop". Did you mean shop?',
    )
    expect(() => createPlatform({ functions: {} }, { clok: 1 } as never)).toThrow('Did you mean clock?')
    expect(() => createPlatform({ functons: {} } as never)).toThrow('/functons: expected the name functions')
  })

  it('translates the event and the answer with the dialect, and logs the original event', async () => {
    const platform = createPlatform({
      functions: {
        shop: {
          handler: (event: { SHOUTED: unknown }) => ({ heard: event.SHOUTED }),
          dialect: {
            event: event => ({ SHOUTED: event }),
            result: answer => ({ ...ok, body: JSON.stringify(answer) }),
          },
        },
      },
      dataDir: ':memory:',
    })
    const event = httpEvent('GET', '/')
    const { verdict, payload } = await platform.invoke('shop', event)
    expect(verdict?.text).toBe('200 OK')
    expect(JSON.parse(JSON.parse(payload).body)).toEqual({ heard: event })
    expect(JSON.parse((await platform.invocationLog.list())[0]!.event)).toEqual(event)
    await platform.stop()
  })
})

it('the load balancer calls a framework handler with single-value and with multi-value headers', async () => {
  const shop = signalbox(loadBalancer([get('/orders/{id}', ({ params }) => json({ id: params.id }))]))
  for (const multiValueHeaders of [false, true]) {
    await using setup = await startBalancer(shop as never, { multiValueHeaders })
    const response = await fetch(`${setup.url}/orders/7`)
    expect([response.status, await response.json()]).toEqual([200, { id: '7' }])
  }
})

it('a platform runs modules in separate processes, and reports each invocation', async () => {
  using folder = temporaryFolder()
  writeFileSync(
    join(folder.path, 'shop.ts'),
    `
    const body: string = String(process.pid)
    export const handler = async () => ({ statusCode: 200, statusDescription: 'OK', isBase64Encoded: false, body })`,
  )
  const invocations: string[] = []
  const platform = createPlatform(
    { functions: { shop: { module: 'shop.ts' } }, loadBalancers: { web: { port: 0, function: 'shop' } } },
    {
      root: folder.path,
      onInvocation: ({ id, source, verdict }) => invocations.push(`${id} ${source}: ${verdict?.text}`),
    },
  )
  const [address] = await platform.start()
  const { responses } = await talk(address!.url, request())
  expect(Number(responses[0]!.body.toString())).not.toBe(process.pid)
  await platform.stop()
  expect(invocations).toEqual(['1 load balancer web: 200 OK'])
})

describe('start', () => {
  it('listens only on this machine, unless the configuration says otherwise', async () => {
    await using setup = await startBalancer(() => ok)
    expect(setup.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    await using open = await startBalancer(() => ok, { host: '::', open: true })
    expect(open.url).toMatch(/^http:\/\/\[::\]:\d+$/)
  })

  it('throws an error that names the port if it is in use', async () => {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await expect(startBalancer(() => ok, { port })).rejects.toThrow(
      `The load balancer web cannot start: port ${port} of 127.0.0.1 is in use`,
    )
    server.close()
  })

  it('refuses a second platform on the same data directory', async () => {
    using folder = temporaryFolder()
    const config = { functions: {}, dataDir: folder.path }
    const [first, second] = [createPlatform(config), createPlatform(config)]
    await first.start()
    await expect(second.start()).rejects.toThrow('Another platform')
    // The second platform has closed its invocation log.
    await expect(second.invocationLog.list()).rejects.toThrow('The invocation log is closed')
    await second.stop()
    await first.stop()
    const third = createPlatform(config)
    await third.start()
    await third.stop()
  })

  it('refuses to start a second time, and goes on as before', async () => {
    const platform = createPlatform({
      functions: { shop: { handler: () => ok } },
      loadBalancers: { web: { port: 0, function: 'shop' } },
      dataDir: ':memory:',
    })
    const [{ url } = { url: '' }] = await platform.start()
    await expect(platform.start()).rejects.toThrow('A platform starts only once')
    expect((await fetch(url)).status).toBe(200)
    await platform.stop()
    await expect(platform.start()).rejects.toThrow('and not after stop()')
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })
})

describe('stop', () => {
  it('waits for running invocations, and accepts no new events', async () => {
    let finish = () => {}
    const running = new Promise<void>(resolve => {
      finish = resolve
    })
    let asked = () => {}
    const begun = new Promise<void>(resolve => {
      asked = resolve
    })
    const setup = await startBalancer(async () => {
      asked()
      await running
      return ok
    })
    const talked = talk(setup.url, request())
    await begun
    const stopped = setup.platform.stop()
    await expect(talk(setup.url, request())).rejects.toThrow('ECONNREFUSED')
    finish()
    const { responses, closed } = await talked
    expect(responses[0]).toMatchObject({ status: 200 })
    expect(responses[0]!.headers).toContainEqual(['Connection', 'close'])
    expect(closed).toBe(true)
    await stopped
  })

  it('aborts invocations that exceed the grace period', async () => {
    const clock = manualClock()
    const setup = await startBalancer(() => new Promise(() => {}), {}, { clock, timeout: 900 })
    const talked = talk(setup.url, request())
    while (clock.waiting === 0) await new Promise(resolve => setTimeout(resolve, 5))
    const stopped = setup.platform.stop()
    await clock.advance(2000)
    await clock.advance(900_000)
    await stopped
    expect((await talked).responses).toEqual([])
  })

  it('gives an invocation that never ends one grace period, and not a second one', async () => {
    using folder = temporaryFolder()
    const begun = join(folder.path, 'begun')
    const endless = `import { writeFileSync } from 'node:fs'
export const handler = () => {
  writeFileSync(${JSON.stringify(begun)}, '')
  return new Promise(() => {})
}`
    writeFileSync(join(folder.path, 'endless.js'), endless)
    const clock = manualClock()
    const platform = createPlatform(
      {
        functions: { endless: { module: './endless.js', timeout: 900 } },
        loadBalancers: { web: { port: 0, function: 'endless' } },
        dataDir: ':memory:',
        grace: 30,
      },
      { clock, root: folder.path },
    )
    const [web] = await platform.start()
    const talked = talk(web!.url, request())
    while (!existsSync(begun)) await new Promise(resolve => setTimeout(resolve, 5))
    const stopped = platform.stop()
    await clock.advance(30_000)
    await stopped
    expect((await talked).responses).toEqual([])
  })
})

it('a platform acknowledges no user and no queue after its data directory was deleted', async () => {
  using folder = temporaryFolder()
  const dataDir = join(folder.path, 'data')
  const platform = createPlatform({
    userPools: { staff: { id: 'eu-central-1_Staff01', clients: { web: { id: 'web' } } } },
    userPoolListener: { port: 0 },
    queues: { orders: {} },
    queueListener: { port: 0 },
    dataDir,
  })
  const addresses = await platform.start()
  const call = async (source: string, type: string, target: string, input: object) => {
    const { url } = addresses.find(each => each.source === source)!
    const headers = { 'content-type': `application/x-amz-json-${type}`, 'x-amz-target': target }
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(input) })).status
  }
  const statuses = async (name: string) => [
    await call('user pools', '1.1', 'AWSCognitoIdentityProviderService.SignUp', {
      ClientId: 'web',
      Username: name,
      Password: 'Secret-Word-1',
    }),
    await call('queues', '1.0', 'AmazonSQS.CreateQueue', { QueueName: name }),
  ]
  expect(await statuses('before')).toEqual([200, 200])
  rmSync(dataDir, { recursive: true })
  expect(await statuses('after')).toEqual([500, 500])
  await platform.stop()
})
