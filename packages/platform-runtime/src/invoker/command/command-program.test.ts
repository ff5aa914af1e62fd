import { request } from 'node:http'
import { afterAll, describe, expect, it } from '@jest/globals'
import { commandInvoker } from '../testing/command-test-invoker.ts'

const shop = commandInvoker()
afterAll(shop.stop)

const isAlive = (id: number) => {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}

describe('a command', () => {
  it('gets events one after another, and answers them', async () => {
    expect(await shop.answer({ do: 'echo', n: 1 })).toEqual({ do: 'echo', n: 1 })
    expect(await shop.answer({ do: 'echo', text: 'ä€😀' })).toEqual({ do: 'echo', text: 'ä€😀' })
    expect([shop.instances(), shop.started!()]).toEqual([1, 1])
  })

  it('gets what the interface of AWS Lambda has in headers', async () => {
    const before = Date.now()
    const context = { clientContext: { client: { title: 'Grüße 😀' } }, tenantId: 'blue' }
    const headers = (await shop.answer({ do: 'headers' }, { context, timeLimit: 5000 })) as Record<
      string,
      string
    >
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': expect.stringMatching(/^r-\d+$/),
      'lambda-runtime-invocation-id': expect.stringMatching(/^[\da-f-]{36}$/),
      'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:local:000000000000:function:shop',
      'lambda-runtime-trace-id': expect.stringMatching(
        /^Root=1-[\da-f]{8}-[\da-f]{24};Parent=[\da-f]{16};Sampled=0$/,
      ),
      'lambda-runtime-aws-tenant-id': 'blue',
    })
    expect(JSON.parse(headers['lambda-runtime-client-context']!)).toEqual(context.clientContext)
    const deadline = Number(headers['lambda-runtime-deadline-ms'])
    expect(deadline).toBeGreaterThanOrEqual(before + 5000)
    expect(deadline).toBeLessThanOrEqual(Date.now() + 5000)
    const plain = (await shop.answer({ do: 'headers' })) as object
    expect(Object.keys(plain).filter(name => /tenant|context|identity/.test(name))).toEqual([])
  })

  it('gets the environment that a runtime expects', async () => {
    const environment = (await shop.answer({ do: 'environment' })) as Record<string, string>
    expect(environment).toMatchObject({
      STAGE: 'test',
      _HANDLER: 'app.handler',
      AWS_REGION: 'local',
      AWS_DEFAULT_REGION: 'local',
      AWS_LAMBDA_FUNCTION_NAME: 'shop',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/shop',
      AWS_LAMBDA_LOG_STREAM_NAME: expect.stringMatching(/^\d{4}\/\d\d\/\d\d\/\[\$LATEST\][\da-f]{32}$/),
      AWS_LAMBDA_RUNTIME_API: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      LAMBDA_TASK_ROOT: process.cwd(),
    })
    expect(environment).not.toHaveProperty('AWS_LAMBDA_MAX_CONCURRENCY')
  })

  it('has its output in the log of its event', async () => {
    expect((await shop.invoke({ do: 'echo' })).logs).toEqual([{ stream: 'out', text: 'doing echo' }])
  })

  it('reports an error, which fails only its event', async () => {
    const { payload, failure, logs } = await shop.invoke({ do: 'throw' })
    expect(failure).toEqual({ kind: 'threw', message: 'ShopError: sold out' })
    expect(JSON.parse(payload)).toEqual({
      errorType: 'ShopError',
      errorMessage: 'sold out',
      stackTrace: ['line 7'],
    })
    expect(logs).toContainEqual({ stream: 'err', text: 'Traceback: line 7' })
    expect(await shop.answer({ do: 'throw garbage' })).toEqual({ kind: 'threw', message: 'Error: not JSON' })
  })

  it.each<[string, object, unknown]>([
    ['answers for another request', { do: 'other' }, 400],
    ['says which delivery it answers', { do: 'own invocation' }, 'right'],
    ['answers twice', { do: 'twice' }, 'first'],
    ['answers with what is not UTF-8', { do: 'garbage' }, /not UTF-8$/],
    ['answers with 7 MB', { do: 'long', length: 7_000_000 }, /longer than 6291556 bytes$/],
    ['streams its response', { do: 'streamed' }, 'in parts'],
    ['fails while it streams', { do: 'streamed error' }, /^Stream.Error: the end is missing$/],
    ['closes a connection within its response', { do: 'cut' }, 'whole'],
    ['asks for a path that is none', { do: 'path' }, [404, { errorType: 'UnknownPath' }]],
    ['opens a hundred connections', { do: 'connections' }, [100, [403, 403, 403, 403, 403]]],
    ['exits', { do: 'exit' }, /^shop exited with code 3$/],
    ['does not answer', { do: 'never', limit: 500 }, /^shop timed out after 500 ms$/],
    ['needs too much memory', { do: 'memory' }, /^shop ran out of memory: 256 MB$/],
  ])('that %s harms no other event', async (_what, event, expected) => {
    const { limit } = event as { readonly limit?: number }
    const { payload, failure } = await shop.invoke(event, limit === undefined ? {} : { timeLimit: limit })
    if (expected instanceof RegExp) expect(failure?.message).toMatch(expected)
    else
      expect({ failure, answer: JSON.parse(payload) }).toMatchObject({ failure: undefined, answer: expected })
    expect(await shop.answer({ do: 'echo', after: event })).toEqual({ do: 'echo', after: event })
    expect(shop.instances()).toBe(1)
  })

  it('is killed with all its children, also with those that left its session', async () => {
    const ids = (await shop.answer({ do: 'children' })) as number[]
    expect(ids.map(isAlive)).toEqual([true, true, true])
    await shop.invoke({ do: 'exit' })
    await shop.answer({ do: 'echo' })
    for (let tries = 0; tries < 500 && ids.some(isAlive); tries++)
      await new Promise(resolve => setTimeout(resolve, 20))
    expect(ids.map(isAlive)).toEqual([false, false, false])
  })

  it.each([
    ['exits before it asks for an event', 'exit', { kind: 'crash', message: 'shop exited with code 7' }],
    ['reports that it cannot start', 'init error', { kind: 'unloadable', message: 'ImportError: no shop' }],
  ])('that %s fails the event that waits for it', async (_what, mode, failure) => {
    await using broken = commandInvoker({}, mode)
    expect(await broken.answer({ do: 'echo' })).toEqual(failure)
    expect(await broken.load!()).toMatchObject({ failure })
  })

  it('whose program does not exist fails', async () => {
    await using broken = commandInvoker({ command: ['/no/such/program'] })
    expect(await broken.answer({})).toEqual({
      kind: 'crash',
      message: 'shop has no process: spawn /no/such/program ENOENT',
    })
  })

  it('starts again with the code of now after a reload', async () => {
    await using own = commandInvoker()
    const first = (await own.answer({ do: 'environment' })) as Record<string, string>
    own.reload()
    const second = (await own.answer({ do: 'environment' })) as Record<string, string>
    expect(second.AWS_LAMBDA_LOG_STREAM_NAME).not.toBe(first.AWS_LAMBDA_LOG_STREAM_NAME)
  })
})

describe('with `concurrency`', () => {
  it('one instance works on several events', async () => {
    await using own = commandInvoker({ concurrency: 3 })
    const events = Array.from({ length: 12 }, (_, n) => ({ do: 'wait', milliseconds: 100, n }))
    expect(await Promise.all(events.map(event => own.answer(event)))).toEqual(events)
    expect([own.instances(), own.started!()]).toEqual([1, 1])
    expect(await own.answer({ do: 'environment' })).toMatchObject({ AWS_LAMBDA_MAX_CONCURRENCY: '3' })
  })

  it('an event that takes too long fails alone, and the instance is replaced', async () => {
    await using own = commandInvoker({ concurrency: 2 })
    await own.answer({ do: 'echo' })
    const slow = own.answer({ do: 'wait', milliseconds: 1500, n: 1 })
    const late = own.answer({ do: 'never' }, { timeLimit: 300 })
    expect(await late).toEqual({ kind: 'timeout', message: 'shop timed out after 300 ms' })
    expect(await own.answer({ do: 'echo', n: 2 })).toEqual({ do: 'echo', n: 2 })
    expect(await slow).toEqual({ do: 'wait', milliseconds: 1500, n: 1 })
    expect(own.started!()).toBe(2)
  })
})

it('with `tenancy: isolated`, an instance serves one tenant only', async () => {
  await using own = commandInvoker({ tenancy: 'isolated', instances: 2 })
  const streamOf = async (tenantId: string | undefined) =>
    (
      (await own.answer(
        { do: 'environment' },
        tenantId === undefined ? {} : { context: { tenantId } },
      )) as Record<string, string>
    ).AWS_LAMBDA_LOG_STREAM_NAME
  const blue = await streamOf('blue')
  const red = await streamOf('red')
  expect(red).not.toBe(blue)
  expect([await streamOf('blue'), await streamOf('red')]).toEqual([blue, red])
  const green = await streamOf('green')
  expect([blue, red]).not.toContain(green)
  expect(own.instances()).toBe(2)
  expect(await streamOf('green')).toBe(green)
})

if (process.platform === 'linux')
  it('another process of this machine cannot get or answer events', async () => {
    await using own = commandInvoker()
    const environment = (await own.answer({ do: 'environment' })) as Record<string, string>
    const [host, port] = environment.AWS_LAMBDA_RUNTIME_API!.split(':')
    const attempt = (method: string, path: string) =>
      new Promise<unknown>(resolve => {
        const to = request({ host, port, method, path: `/2018-06-01/runtime/${path}` }, response =>
          resolve(response.statusCode),
        )
        to.on('error', error => resolve((error as NodeJS.ErrnoException).code))
        to.end()
      })
    const slow = own.answer({ do: 'wait', milliseconds: 300 }, { requestId: 'r-known' })
    const refused = ['ECONNRESET', 'EPIPE', 'ECONNREFUSED']
    expect(refused).toContain(await attempt('GET', 'invocation/next'))
    expect(refused).toContain(await attempt('POST', 'invocation/r-known/response'))
    expect(await slow).toEqual({ do: 'wait', milliseconds: 300 })
  })
