import { describe, expect, it } from '@jest/globals'
import { type Clock, systemClock } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { endpointServer } from '../../testing/endpoint-server.ts'
import { type LambdaSettings, lambdaEndpoint } from './lambda-endpoint.ts'
import { remoteInvoker } from './remote-invoker.ts'

/** Returns an invoker whose AWS SDK client sends its calls to a test server. */
function invokerOf(
  endpoint: string,
  settings: Partial<LambdaSettings & { timeout: number; clock: Clock }> = {},
) {
  const all = { name: 'ship', instances: 2, wait: 0, timeout: 10_000, clock: systemClock }
  const { timeout = all.timeout, clock = all.clock, ...more } = settings
  const lambda = lambdaEndpoint({
    functionName: 'ship-prod',
    region: 'local',
    endpoint,
    instances: 2,
    ...more,
  })
  const invoker = remoteInvoker({ ...all, timeout, clock }, lambda)
  const invoke = (event: unknown) => invoker.invoke({ event: JSON.stringify(event), requestId: 'r-1' })
  return { ...invoker, invoke, [Symbol.asyncDispose]: invoker.stop }
}

const error = (type: string, status: number) => ({
  status,
  headers: { 'x-amzn-errortype': type },
  body: JSON.stringify({ Type: 'User', Message: 'a secret' }),
})

describe('a function on AWS Lambda', () => {
  it('gets the event unchanged, and answers with the payload and the end of its log', async () => {
    await using server = await endpointServer((response, { body }) => {
      response.setHeader('x-amz-log-result', Buffer.from('START\nhello\n').toString('base64'))
      response.end(`{"got":${body}}`)
    })
    const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'hidden' }
    await using ship = invokerOf(server.url, { qualifier: 'live', credentials })
    expect(await ship.invoke({ a: 'ü' })).toEqual({
      payload: '{"got":{"a":"ü"}}',
      logs: [
        { stream: 'out', text: 'START' },
        { stream: 'out', text: 'hello' },
      ],
      generation: 1,
    })
    const [{ url, headers, body }] = server.received as [(typeof server.received)[0]]
    expect(url).toBe('/2015-03-31/functions/ship-prod/invocations?Qualifier=live')
    expect(headers).toMatchObject({
      'x-amz-log-type': 'Tail',
      authorization: expect.stringContaining('AKIATEST'),
    })
    expect(body).toBe('{"a":"ü"}')
  })

  it('gets consecutive calls over one connection', async () => {
    await using server = await endpointServer(response => response.end('1'))
    await using ship = invokerOf(server.url)
    for (let i = 0; i < 3; i++) expect((await ship.invoke(i)).payload).toBe('1')
    expect(server.connections).toBe(1)
  })

  it('fails like a local function when AWS Lambda reports a function error', async () => {
    const payload = JSON.stringify({ errorType: 'TypeError', errorMessage: 'no', trace: ['TypeError: no'] })
    await using server = await endpointServer(response =>
      response.setHeader('x-amz-function-error', 'Unhandled').end(payload),
    )
    await using ship = invokerOf(server.url)
    expect(await ship.invoke({})).toMatchObject({
      payload,
      failure: { kind: 'threw', message: 'TypeError: no' },
    })
  })

  it('is called again when it is throttled', async () => {
    await using server = await endpointServer(response => {
      if (server.received.length > 2) return void response.end('"done"')
      const { status, headers, body } = error('TooManyRequestsException', 429)
      response.writeHead(status, headers).end(body)
    })
    await using ship = invokerOf(server.url)
    expect((await ship.invoke({})).payload).toBe('"done"')
    expect(server.received).toHaveLength(3)
  })

  it.each([
    [
      'ResourceNotFoundException',
      404,
      'unavailable',
      'ship was not called: Lambda: ResourceNotFoundException',
    ],
    ['AccessDeniedException', 403, 'unavailable', 'ship was not called: Lambda: AccessDeniedException'],
    ['ServiceException', 500, 'crash', 'ship may have run: Lambda: ServiceException'],
  ])('is called only once when AWS Lambda answers %s', async (type, status, kind, message) => {
    await using server = await endpointServer(response => {
      const { headers, body } = error(type, status)
      response.writeHead(status, headers).end(body)
    })
    await using ship = invokerOf(server.url)
    const { failure, payload } = await ship.invoke({})
    expect(failure).toEqual({ kind, message })
    expect(payload).not.toContain('a secret')
    expect(server.received).toHaveLength(1)
  })

  it('is reported as not called when AWS Lambda cannot be reached', async () => {
    const gone = await endpointServer(() => {})
    await gone[Symbol.asyncDispose]()
    await using ship = invokerOf(gone.url)
    expect((await ship.invoke({})).failure).toEqual({
      kind: 'unavailable',
      message: 'ship was not called: Lambda: ECONNREFUSED',
    })
  })

  it('times out when it answers too late, and its HTTP request is aborted', async () => {
    const clock = manualClock(1_700_000_000_000)
    let arrive = () => {}
    const arrived = new Promise<void>(resolve => {
      arrive = resolve
    })
    let end = () => {}
    const ended = new Promise<void>(resolve => {
      end = resolve
    })
    await using server = await endpointServer(response => {
      response.on('close', end)
      arrive()
    })
    await using ship = invokerOf(server.url, { timeout: 300, clock })
    const result = ship.invoke({})
    await arrived
    await clock.advance(300)
    expect((await result).failure).toEqual({ kind: 'timeout', message: 'ship timed out after 300 ms' })
    await ended
  })
})
