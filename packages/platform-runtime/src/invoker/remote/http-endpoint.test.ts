import { createServer } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { systemClock } from '@signalbox/core'
import { hasValidSignature } from '@signalbox/core/event-signature'
import { manualClock } from '@signalbox/core/testing'
import { endpointServer } from '../../testing/endpoint-server.ts'
import { payloadLimit } from '../invoker.ts'
import { type HttpEndpointSettings, httpEndpoint } from './http-endpoint.ts'
import { remoteInvoker } from './remote-invoker.ts'

const secret = 'a secret that both sides know'

function invokerOf(
  url: string,
  settings: Partial<HttpEndpointSettings & { wait: number; timeout: number }> = {},
) {
  const all = {
    name: 'shop',
    url,
    secret: undefined,
    headers: {},
    instances: 2,
    wait: 1000,
    timeout: 3000,
    clock: systemClock,
    ...settings,
  }
  const invoker = remoteInvoker(all, httpEndpoint(all))
  const invoke = (event: unknown, more: object = {}) =>
    invoker.invoke({ event: JSON.stringify(event), requestId: 'r-1', ...more })
  return { ...invoker, invoke, [Symbol.asyncDispose]: invoker.stop }
}

/** Returns a promise, and the function that resolves it. */
function signal() {
  let resolve!: () => void
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}

const settled = () => new Promise(resolve => setImmediate(resolve))

describe('a function behind a URL', () => {
  it('gets the event as a signed POST request, and answers with the payload', async () => {
    await using server = await endpointServer((response, { body }) => response.end(`{"got":${body}}`))
    const clock = manualClock(1_700_000_000_000)
    await using shop = invokerOf(`${server.url}/run?key=1`, {
      clock,
      secret,
      headers: { authorization: 'Bearer t' },
    })
    expect(await shop.invoke({ a: 'ü' }, { timeLimit: 2000 })).toEqual({
      payload: '{"got":{"a":"ü"}}',
      logs: [],
      generation: 1,
    })
    const [{ url, headers, body }] = server.received as [(typeof server.received)[0]]
    expect(url).toBe('/run?key=1')
    expect(headers).toMatchObject({
      authorization: 'Bearer t',
      'content-type': 'application/json',
      'signalbox-function': 'shop',
      'signalbox-request-id': 'r-1',
      'signalbox-time-limit': '2000',
      'webhook-id': 'r-1',
    })
    expect(hasValidSignature({ headers, body, secret, now: clock.now() })).toBe(true)
  })

  it('gets consecutive calls over one connection', async () => {
    await using server = await endpointServer(response => response.end('1'))
    await using shop = invokerOf(server.url)
    for (let i = 0; i < 5; i++) expect((await shop.invoke(i)).payload).toBe('1')
    expect(server.connections).toBe(1)
  })

  it.each([
    ['it threw', { errorType: 'TypeError', errorMessage: 'no' }, { kind: 'threw', message: 'TypeError: no' }],
    [
      'it timed out',
      { errorType: 'Sandbox.Timedout', errorMessage: 'late' },
      { kind: 'timeout', message: 'late' },
    ],
    [
      'it crashed',
      { errorType: 'Runtime.ExitError', errorMessage: 'exit 1' },
      { kind: 'crash', message: 'exit 1' },
    ],
    [
      'it cannot be loaded',
      { errorType: 'Runtime.ImportModuleError', errorMessage: 'none' },
      { kind: 'unloadable', message: 'none' },
    ],
  ])('fails like a local function when it reports that %s', async (_case, error, failure) => {
    const log = Buffer.from('one\ntwo\n').toString('base64')
    await using server = await endpointServer(response => {
      response.setHeader('x-amz-function-error', 'Unhandled').setHeader('x-amz-log-result', log)
      response.end(JSON.stringify(error))
    })
    await using shop = invokerOf(server.url)
    expect(await shop.invoke({})).toEqual({
      payload: JSON.stringify(error),
      failure,
      logs: [
        { stream: 'out', text: 'one' },
        { stream: 'out', text: 'two' },
      ],
      generation: 1,
    })
  })

  it('fails with an error payload from the platform when it reports a failure but its answer describes no error', async () => {
    await using server = await endpointServer(response =>
      response.setHeader('x-amz-function-error', 'Unhandled').end('{"batchItemFailures":[]}'),
    )
    await using shop = invokerOf(server.url)
    const { payload, failure } = await shop.invoke({})
    expect(failure?.kind).toBe('threw')
    expect(JSON.parse(payload)).toEqual({ errorType: 'Error', errorMessage: failure!.message })
  })

  it.each([
    [302, 'unavailable', 'answered 302, and redirects are not followed'],
    [401, 'unavailable', 'answered 401'],
    [404, 'unavailable', 'answered 404'],
    [500, 'crash', 'answered 500'],
    [502, 'crash', 'answered 502'],
  ])('is not called again after it answers %i', async (status, kind, why) => {
    await using server = await endpointServer(response => {
      response.writeHead(status, { location: `${server.url}/elsewhere` }).end('a secret')
    })
    await using shop = invokerOf(`${server.url}/?key=hidden`)
    const { payload, failure } = await shop.invoke({})
    expect(failure).toMatchObject({ kind })
    expect(failure!.message).toContain(`${server.url} ${why}`)
    expect(payload).not.toMatch(/hidden|a secret/)
    expect(server.received).toHaveLength(1)
  })

  it('is called again with the same request id after it answers 429 or 503', async () => {
    await using server = await endpointServer(response => {
      if (server.received.length < 3) response.writeHead(server.received.length === 1 ? 429 : 503).end()
      else response.end('"done"')
    })
    await using shop = invokerOf(server.url, { secret })
    expect((await shop.invoke({})).payload).toBe('"done"')
    expect(server.received.map(({ headers }) => headers['webhook-id'])).toEqual(['r-1', 'r-1', 'r-1'])
  })

  it('is reported as not called when it cannot be reached, and the error hides the query of its URL', async () => {
    const clock = manualClock()
    const gone = await endpointServer(() => {})
    await gone[Symbol.asyncDispose]()
    await using shop = invokerOf(`${gone.url}/?key=hidden`, { clock, headers: { authorization: 'hidden' } })
    const result = shop.invoke({})
    let isDone = false
    void result.then(() => (isDone = true))
    while (!isDone) {
      await settled()
      await clock.advance(100)
    }
    const { payload, failure } = await result
    const message = `shop was not called: ${gone.url} cannot be reached (ECONNREFUSED)`
    expect(failure).toEqual({ kind: 'unavailable', message })
    expect(payload).not.toContain('hidden')
    expect(clock.waiting).toBe(0)
  })

  it('is not called again after it closes the connection, because it may have run', async () => {
    await using server = await endpointServer(response => response.destroy())
    await using shop = invokerOf(server.url)
    const { failure } = await shop.invoke({})
    expect(failure).toEqual({
      kind: 'crash',
      message: `shop may have run: ${server.url} broke the connection off (ECONNRESET)`,
    })
    expect(server.received).toHaveLength(1)
  })

  it('fails as a function that may have run when its answer ends too early', async () => {
    await using server = await endpointServer(response => {
      response.writeHead(200, { 'content-length': 100 }).write('{"a":')
      setImmediate(() => response.destroy())
    })
    await using shop = invokerOf(server.url)
    expect((await shop.invoke({})).failure).toMatchObject({
      kind: 'crash',
      message: expect.stringContaining('its answer off'),
    })
  })

  it('times out after its own limit or the limit of the call, and the platform closes the connection', async () => {
    const clock = manualClock()
    const ended = signal()
    const arrived = signal()
    await using server = await endpointServer(response => {
      response.on('close', ended.resolve)
      arrived.resolve()
    })
    await using shop = invokerOf(server.url, { clock })
    const result = shop.invoke({}, { timeLimit: 2000 })
    await arrived.promise
    await clock.advance(2000)
    expect((await result).failure).toEqual({ kind: 'timeout', message: 'shop timed out after 2000 ms' })
    await ended.promise
    expect(clock.waiting).toBe(0)
  })

  it('fails when its answer is longer than the limit', async () => {
    await using server = await endpointServer(response => {
      const chunk = 'x'.repeat(1024 * 1024)
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', more)
      more()
    })
    await using shop = invokerOf(server.url)
    const { failure } = await shop.invoke({})
    expect(failure?.message).toBe(
      `ResultTooLongError: What the function returned is longer than ${payloadLimit} bytes`,
    )
  })

  it('fails as a function that may have run when its answer is not HTTP', async () => {
    const server = createServer(socket => socket.end('220 mail.example ESMTP\r\n'))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    await using shop = invokerOf(`http://127.0.0.1:${port}`)
    expect((await shop.invoke({})).failure?.kind).toBe('crash')
    server.close()
  })

  it('is not called with an event that exceeds the size limit', async () => {
    await using server = await endpointServer(response => response.end())
    await using shop = invokerOf(server.url)
    expect((await shop.invoke('x'.repeat(payloadLimit))).failure?.kind).toBe('unavailable')
    expect(server.received).toEqual([])
  })

  it('gets at most as many concurrent calls as its `instances` setting allows, while further calls wait', async () => {
    const clock = manualClock()
    const open: (() => void)[] = []
    await using server = await endpointServer(response => open.push(() => response.end('1')))
    await using shop = invokerOf(server.url, { clock })
    const results = [1, 2, 3, 4].map(event => shop.invoke(event))
    while (open.length < 2) await settled()
    await clock.advance(500)
    open.shift()!()
    await results[0]
    while (open.length < 2) await settled()
    await clock.advance(500)
    expect(await results[3]).toMatchObject({
      failure: { kind: 'unavailable', message: 'shop was not called: 2 calls were running for 1000 ms' },
    })
    for (const end of open) end()
    expect((await Promise.all(results.slice(0, 3))).map(({ payload }) => payload)).toEqual(['1', '1', '1'])
    expect(server.received).toHaveLength(3)
  })

  it('is not called after the platform stops, and its running calls fail when it stops', async () => {
    const arrived = signal()
    await using server = await endpointServer(() => arrived.resolve())
    const shop = invokerOf(server.url, { instances: 1 })
    const [running, waiting] = [shop.invoke(1), shop.invoke(2)]
    await arrived.promise
    await shop.stop()
    expect((await running).failure).toMatchObject({ kind: 'crash' })
    expect((await waiting).failure).toMatchObject({ kind: 'unavailable' })
    expect((await shop.invoke(3)).failure).toMatchObject({ kind: 'unavailable' })
  })
})
