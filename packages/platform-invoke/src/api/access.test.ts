import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { invokePlatform, lambdaClient } from '../testing/invoke-platform.ts'

const secret = 'a-secret-of-sixteen-or-more'

const access = {
  identities: {
    shop: { keys: [{ id: 'SHOP', secret }], rights: { functions: { invoke: ['work'] } } },
  },
}

const functions = { work: { handler: () => 'done' }, hidden: { handler: () => 'hidden' } }

it('with the setting `access`, a client needs an access key and the right to invoke the function', async () => {
  await using setup = await invokePlatform({ functions, access })
  const as = async (accessKeyId: string, secretAccessKey: string, name: string) => {
    const client = lambdaClient(setup.url, { accessKeyId, secretAccessKey })
    try {
      return (await client.invoke(name, {})).payload
    } catch (error) {
      return (error as Error).name
    } finally {
      client.destroy()
    }
  }
  expect(await as('SHOP', secret, 'work')).toBe('done')
  expect(await as('SHOP', 'another', 'work')).toBe('InvalidSignatureException')
  expect(await as('SHIP', secret, 'work')).toBe('UnrecognizedClientException')
  expect(await as('SHOP', secret, 'hidden')).toBe('AccessDeniedException')
})

it('a client with a wrong token learns that its key is wrong, and has to wait after thirty failures', async () => {
  await using setup = await invokePlatform({ functions, access })
  const call = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${setup.url}/2015-03-31/functions/work/invocations`, {
      ...{ method: 'POST', body: '{}', headers },
    })
    return [answer.status, answer.headers.get('x-amzn-errortype'), await answer.text()]
  }
  expect(await call(`SHOP.${secret}`)).toEqual([200, null, '"done"'])
  const wrong = [
    403,
    'UnrecognizedClientException',
    expect.stringContaining('does not exist, or its secret is wrong'),
  ]
  for (let i = 0; i < 30; i++) expect(await call(`SHOP.guess-${i}`)).toEqual(wrong)
  const refused = [429, 'TooManyRequestsException', expect.stringContaining('Too many failed')]
  expect(await call(`SHOP.${secret}`)).toEqual(refused)
})

it('with `access`, another platform needs a token to call a function through `url`, and a key to call it through `lambda`', async () => {
  await using far = await invokePlatform({ functions, access })
  const url = `${far.url}/2015-03-31/functions/work/invocations`
  const lambda = { functionName: 'work', region: 'local', endpoint: far.url }
  await using near = await invokePlatform({
    functions: {
      token: { url, headers: { authorization: `Bearer SHOP.${secret}` } },
      none: { url },
      key: { lambda: { ...lambda, accessKeyId: 'SHOP', secretAccessKey: secret } },
      wrong: { lambda: { ...lambda, accessKeyId: 'SHOP', secretAccessKey: 'another' } },
    },
  })
  const kinds: unknown[] = []
  for (const name of ['token', 'none', 'key', 'wrong']) {
    const { failure, payload } = await near.platform.invoke(name, {})
    kinds.push(failure?.kind ?? payload)
  }
  expect(kinds).toEqual(['"done"', 'unavailable', '"done"', 'unavailable'])
})

it('a client that exceeds the limits of its identity gets TooManyRequestsException for every function', async () => {
  const clock = manualClock(Date.now())
  const limits = { requests: 2, bytes: 1000, window: 60 }
  const both = { keys: [{ id: 'SHOP', secret }], rights: { functions: { invoke: ['*'] } }, limits }
  await using setup = await invokePlatform({ functions, access: { identities: { shop: both } } }, { clock })
  const client = lambdaClient(setup.url, { accessKeyId: 'SHOP', secretAccessKey: secret })
  const call = (name: string, event: object = {}) =>
    client.invoke(name, event).then(
      ({ payload }) => payload,
      error => [(error as Error).name, error.$metadata.httpStatusCode],
    )
  const refused = ['TooManyRequestsException', 429]
  expect([await call('work'), await call('hidden'), await call('work')]).toEqual(['done', 'hidden', refused])
  await clock.advance(30_000)
  expect(await call('work', { text: 'x'.repeat(2000) })).toBe('done')
  await clock.advance(30_000)
  expect(await call('work')).toEqual(refused)
  await clock.advance(60_000)
  expect(await call('work')).toBe('done')
  client.destroy()
})

it('a right over one function reaches no execution of another by a name that is not its own', async () => {
  const durable = { handler: () => ({ Status: 'SUCCEEDED' }), durable: { timeout: 60 } }
  const rights = { functions: { invoke: ['order'], read: ['other'] } }
  await using setup = await invokePlatform({
    functions: { order: durable, other: durable },
    access: { identities: { shop: { keys: [{ id: 'SHOP', secret }], rights } } },
  })
  const headers = { authorization: `Bearer SHOP.${secret}` }
  const started = await fetch(`${setup.url}/2015-03-31/functions/order/invocations`, {
    ...{ method: 'POST', body: '{}' },
    headers: { ...headers, 'x-amz-invocation-type': 'Event' },
  })
  const arn = started.headers.get('x-amz-durable-execution-arn')!
  const asked = async (named: string) => {
    const path = `/2025-12-01/durable-executions/${encodeURIComponent(named)}`
    const answers = await Promise.all(['', '/history'].map(end => fetch(setup.url + path + end, { headers })))
    return answers.map(answer => answer.headers.get('x-amzn-errortype'))
  }
  expect(await asked(arn)).toEqual(['AccessDeniedException', 'AccessDeniedException'])
  const renamed = arn.replace(':function:order:', ':function:other:')
  expect(await asked(renamed)).toEqual(['ResourceNotFoundException', 'ResourceNotFoundException'])
})
