import { writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { Dialect } from '@signalbox/platform-runtime'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { endpointServer } from '@signalbox/platform-runtime/testing/endpoint-server'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { invokePlatform, lambdaClient } from '../testing/invoke-platform.ts'

const echo = (event: unknown, context: object) => ({ event, context: { ...context } })

/** Returns a client context of nested arrays, as at least this number of characters of base64. */
function nestedContext(characters: number): string {
  const depth = Math.ceil((characters * 3) / 4 / 2)
  return Buffer.from(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`).toString('base64')
}

describe('the AWS SDK client for Lambda', () => {
  it('calls a function with any event, and gets the result unchanged', async () => {
    await using setup = await invokePlatform({ functions: { echo: { handler: echo } } })
    const { payload, ...answer } = await setup.invoke('echo', { Records: [{ any: 'ü' }] })
    expect(answer).toMatchObject({
      StatusCode: 200,
      ExecutedVersion: '$LATEST',
      $metadata: { httpStatusCode: 200, requestId: expect.stringMatching(/^[\da-f-]{36}$/) },
    })
    expect(answer).not.toHaveProperty('FunctionError')
    expect(answer).not.toHaveProperty('LogResult')
    expect(payload).toMatchObject({
      event: { Records: [{ any: 'ü' }] },
      context: { functionName: 'echo', requestId: answer.$metadata.requestId },
    })
    expect(await setup.platform.invocationLog.list()).toMatchObject([
      { functionName: 'echo', source: 'invoke', requestId: answer.$metadata.requestId, family: undefined },
    ])
  })

  it('calls a function by its name or ARN, with or without the version $LATEST', async () => {
    await using setup = await invokePlatform({ functions: { echo: { handler: () => 'here' } } })
    const arn = 'arn:aws:lambda:eu-central-1:123456789012:function:echo'
    for (const name of ['echo', 'echo:$LATEST', '123456789012:function:echo', arn, `${arn}:$LATEST`])
      expect((await setup.invoke(name)).payload).toBe('here')
    expect((await setup.invoke('echo', {}, { Qualifier: '$LATEST' })).payload).toBe('here')
  })

  it('can call a function without a payload, and gets null when the function returns nothing', async () => {
    const events: unknown[] = []
    await using setup = await invokePlatform({
      functions: { quiet: { handler: (event: unknown) => void events.push(event) } },
    })
    expect((await setup.invoke('quiet')).payload).toBeNull()
    expect(events).toEqual([{}])
  })

  it('passes a client context to the function', async () => {
    const dialect: Dialect = {
      event: event => event,
      result: result => result,
      context: ({ functionName }) => ({ calledAs: functionName }),
    }
    await using setup = await invokePlatform({
      functions: { plain: { handler: echo }, renamed: { handler: echo, dialect } },
    })
    const ClientContext = Buffer.from('{"custom":{"a":1}}').toString('base64')
    expect((await setup.invoke('plain', {}, { ClientContext })).payload).toMatchObject({
      context: { clientContext: { custom: { a: 1 } } },
    })
    expect((await setup.invoke('renamed', { a: 1 }, { ClientContext })).payload).toMatchObject({
      event: { a: 1 },
      context: { calledAs: 'renamed', clientContext: { custom: { a: 1 } } },
    })
    await expect(setup.invoke('plain', {}, { ClientContext: 'bm8=' })).rejects.toMatchObject({
      name: 'InvalidRequestContentException',
    })
  })

  it('names a tenant, whom the function finds in its context, also later', async () => {
    const tenants: unknown[] = []
    const handler = (_event: unknown, { tenantId }: { readonly tenantId?: string | undefined }) =>
      tenants.push(tenantId)
    await using setup = await invokePlatform({
      functions: { work: { handler }, apart: { handler, tenancy: 'isolated' } },
    })
    await setup.invoke('work', {}, { TenantId: 'blue' })
    await setup.invoke('apart', {}, { TenantId: 'red' })
    await setup.invoke('work')
    expect(tenants).toEqual(['blue', 'red', undefined])
    await setup.invoke('work', {}, { TenantId: 'green', InvocationType: 'Event' })
    while (tenants.length < 4) await new Promise(setImmediate)
    expect(tenants[3]).toBe('green')
    const name = 'InvalidParameterValueException'
    await expect(setup.invoke('apart')).rejects.toMatchObject({
      name,
      message: expect.stringContaining('enabled with tenancy configuration'),
    })
    await expect(setup.invoke('work', {}, { TenantId: 'a;b' })).rejects.toMatchObject({ name })
    expect(tenants).toHaveLength(4)
  })

  it('checks whether a function can be called, without calling it', async () => {
    let calls = 0
    await using setup = await invokePlatform({ functions: { count: { handler: () => ++calls } } })
    const { StatusCode, payload } = await setup.invoke('count', {}, { InvocationType: 'DryRun' })
    expect({ StatusCode, payload, calls }).toEqual({ StatusCode: 204, payload: undefined, calls: 0 })
    await expect(setup.invoke('none', {}, { InvocationType: 'DryRun' })).rejects.toThrow('Function not found')
  })

  it.each([
    ['an unknown function', 'none', {}, 'ResourceNotFoundException', 404],
    ['an unknown version', 'echo:live', {}, 'ResourceNotFoundException', 404],
    ['an unknown qualifier', 'echo', { Qualifier: '7' }, 'ResourceNotFoundException', 404],
    [
      'an unknown invocation type',
      'echo',
      { InvocationType: 'Later' as never },
      'InvalidParameterValueException',
      400,
    ],
    ['a payload that is not JSON', 'echo', { Payload: '{' }, 'InvalidRequestContentException', 400],
    [
      'a payload that is not UTF-8',
      'echo',
      { Payload: Buffer.from([0x22, 0xff, 0x22]) },
      'InvalidRequestContentException',
      400,
    ],
    [
      'a payload of more than 6 MB',
      'echo',
      { Payload: Buffer.alloc(6 * 1024 * 1024 + 1, 0x20) },
      'RequestTooLargeException',
      413,
    ],
    [
      'an asynchronous event of more than 1 MB',
      'echo',
      { Payload: Buffer.alloc(1024 * 1024 + 1, 0x20), InvocationType: 'Event' as const },
      'RequestTooLargeException',
      413,
    ],
    [
      'a client context of more than 3,583 bytes of base64',
      'echo',
      { ClientContext: nestedContext(3600) },
      'InvalidRequestContentException',
      400,
    ],
  ])('gets the same error as from AWS Lambda for %s', async (_case, name, more, error, status) => {
    await using setup = await invokePlatform({ functions: { echo: { handler: echo } } })
    await expect(setup.invoke(name, undefined, more)).rejects.toMatchObject({
      name: error,
      Type: 'User',
      $metadata: { httpStatusCode: status },
    })
    expect(await setup.platform.invocationLog.list()).toEqual([])
  })

  it('is told to try again later when a function cannot be called', async () => {
    await using none = await endpointServer(response => response.writeHead(404).end())
    await using setup = await invokePlatform({
      functions: { gone: { url: none.url } },
    })
    await expect(setup.invoke('gone')).rejects.toMatchObject({
      name: 'TooManyRequestsException',
      $metadata: { httpStatusCode: 429 },
    })
  })
})

describe('the Invoke API', () => {
  it('refuses requests from web pages, requests for foreign host names, and operations other than Invoke', async () => {
    await using setup = await invokePlatform({ functions: { echo: { handler: echo } } })
    const path = '/2015-03-31/functions/echo/invocations'
    const post = (url: string, headers: Record<string, string> = {}) =>
      fetch(`${setup.url}${url}`, { method: 'POST', headers, body: '{}' })
    expect((await post(path)).status).toBe(200)
    const refused = await post(path, { origin: 'https://page.example' })
    expect([refused.status, refused.headers.get('x-amzn-errortype')]).toEqual([403, 'AccessDeniedException'])
    for (const url of ['/', '/2015-03-31/functions', '/2015-03-31/functions/%ff/invocations'])
      expect((await post(url)).status).toBeGreaterThanOrEqual(400)
    expect((await fetch(`${setup.url}${path}`)).status).toBe(404)
  })

  it('finishes running calls and accepts no new calls when the platform stops', async () => {
    let finish = () => {}
    const started = new Promise<void>(isStarted => {
      finish = isStarted
    })
    let answer: (value: string) => void = () => {}
    const setup = await invokePlatform({
      functions: {
        slow: {
          handler: () =>
            new Promise(resolve => {
              answer = resolve
              finish()
            }),
        },
      },
    })
    const running = setup.invoke('slow')
    await started
    const stopped = setup.platform.stop()
    await expect(setup.invoke('slow')).rejects.toThrow()
    answer('done')
    expect((await running).payload).toBe('done')
    await stopped
  })
})

it('a client whose address sends too many requests gets TooManyRequestsException', async () => {
  await using setup = await invokePlatform({
    functions: { echo: { handler: echo } },
    invoke: { limits: { requests: 1, window: 3600 } },
  })
  await setup.invoke('echo')
  await expect(setup.invoke('echo')).rejects.toMatchObject({
    name: 'TooManyRequestsException',
    $metadata: { httpStatusCode: 429 },
    retryAfterSeconds: expect.stringMatching(/^3[56]\d\d$/),
  })
})

it('the AWS SDK client for Lambda can call a function over HTTPS', async () => {
  using folder = temporaryFolder()
  const tls = { cert: join(folder.path, 'cert.pem'), key: join(folder.path, 'key.pem') }
  writeFileSync(tls.cert, certificate.cert)
  writeFileSync(tls.key, certificate.key)
  await using setup = await invokePlatform({ functions: { echo: { handler: echo } }, invoke: { tls } })
  expect(setup.url).toMatch(/^https:/)
  const httpsAgent = new Agent({ ca: certificate.cert })
  const client = lambdaClient(setup.url, undefined, { httpsAgent })
  expect(await client.invoke('echo', { a: 1 })).toMatchObject({ payload: { event: { a: 1 } } })
  client.destroy()
})
