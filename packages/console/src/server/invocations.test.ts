import { describe, expect, it } from '@jest/globals'
import { consolePlatform } from '../testing/console-platform.ts'

const functions = {
  shop: {
    handler: async () => ({
      statusCode: 200,
      statusDescription: '200 OK',
      isBase64Encoded: false,
      body: 'hi',
    }),
  },
  broken: {
    handler: async () => {
      throw new Error('out of stock')
    },
  },
}

const httpGet = (path: string) => ({
  requestContext: { elb: { targetGroupArn: 'arn:1' } },
  ...{ httpMethod: 'GET', path, headers: { host: 'shop.example' }, queryStringParameters: {} },
  ...{ body: '', isBase64Encoded: false },
})

it('the console lists invocations page by page, newest first', async () => {
  await using setup = await consolePlatform({ functions })
  for (const path of ['/a', '/b', '/c']) await setup.platform.invoke('shop', httpGet(path))
  const first = await setup.api.get('/invocations', { query: { last: 2 } })
  expect(first).toMatchObject({
    status: 200,
    body: {
      invocations: [
        { id: 3, functionName: 'shop', summary: 'GET /c', source: 'invoke' },
        { id: 2, summary: 'GET /b' },
      ],
      before: 2,
    },
  })
  const second = await setup.api.get('/invocations', { query: { last: 2, before: 2 } })
  expect(second.body).toEqual({ invocations: [expect.objectContaining({ id: 1, summary: 'GET /a' })] })
})

it('each filter of the invocation list selects only the matching invocations', async () => {
  await using setup = await consolePlatform({ functions })
  const { requestId } = await setup.platform.invoke('shop', httpGet('/orders/7'))
  await setup.platform.invoke('broken', httpGet('/orders/8'), { source: 'by hand' })
  await setup.platform.invoke('shop', { of: 'no family' })
  const ids = async (
    query: NonNullable<Parameters<typeof setup.api.get<'/invocations'>>[1]>['query'] & {},
  ) => {
    const answer = await setup.api.get('/invocations', { query })
    return answer.status === 200 ? answer.body.invocations.map(({ id }) => id) : answer
  }
  expect(await ids({})).toEqual([3, 2, 1])
  expect(await ids({ function: 'shop' })).toEqual([3, 1])
  expect(await ids({ function: ['shop', 'broken'] })).toEqual([3, 2, 1])
  expect(await ids({ source: 'by hand' })).toEqual([2])
  expect(await ids({ family: 'load-balancer' })).toEqual([2, 1])
  expect(await ids({ verdict: 'malformed' })).toEqual([2])
  expect(await ids({ verdict: ['none', 'answered'] })).toEqual([3, 1])
  expect(await ids({ severity: 'ok' })).toEqual([1])
  expect(await ids({ severity: ['error', 'neutral'] })).toEqual([3, 2])
  expect(await ids({ requestId })).toEqual([1])
  expect(await ids({ text: '/orders/' })).toEqual([2, 1])
  expect(await ids({ text: 'out of stock' })).toEqual([2])
  expect(await ids({ from: Date.now() + 1e6 })).toEqual([])
  expect(await ids({ to: Date.now() + 1e6, from: 0 })).toEqual([3, 2, 1])
  expect(await setup.api.get('/invocations', { query: { severity: 'bad' } })).toMatchObject({ status: 400 })
  expect(await setup.api.get('/invocations', { query: { last: 'many' } })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('/last') },
  })
})

it('the console shows an invocation with its event, payload and logs, and answers 404 for an unknown id', async () => {
  await using setup = await consolePlatform({ functions })
  await setup.platform.invoke('shop', httpGet('/orders/7'))
  expect(await setup.api.get('/invocations/{id}', { params: { id: 1 } })).toMatchObject({
    status: 200,
    body: {
      invocation: { id: 1, verdict: { kind: 'answered', ok: true } },
      event: expect.stringContaining('"/orders/7"'),
      payload: expect.stringContaining('"hi"'),
      isEventOmitted: false,
    },
  })
  expect(await setup.api.get('/invocations/{id}', { params: { id: 9 } })).toMatchObject({
    status: 404,
    body: { error: 'There is no invocation #9.' },
  })
})

it('the payload of a function that failed is not compared with the contract', async () => {
  await using setup = await consolePlatform({ functions })
  await setup.platform.invoke('broken', httpGet('/orders/7'))
  expect(await setup.api.get('/invocations/{id}', { params: { id: 1 } })).toMatchObject({
    body: {
      invocation: { verdict: { kind: 'malformed' }, failure: { kind: 'threw' } },
      payload: expect.stringContaining('out of stock'),
      payloadProblems: [],
    },
  })
})

it('the console answers 400 to an event that is nested too deeply to be sent', async () => {
  await using setup = await consolePlatform({ functions })
  const event = '['.repeat(100_000) + ']'.repeat(100_000)
  const answer = await setup.fetch('/console/api/invocations', {
    method: 'POST',
    body: `{"function":"shop","event":${event}}`,
  })
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { error: 'The event is nested too deeply to be sent.' },
  ])
})

it('each invocation in the list has a summary that can name its link, whatever its event is', async () => {
  await using setup = await consolePlatform({ functions })
  for (const event of [httpGet('/a'), { ...httpGet('/'), body: 'a'.repeat(100_000) }, {}, null, 'text', [[]]])
    await setup.platform.invoke('shop', event)
  const { status, body } = await setup.api.get('/invocations')
  expect([status, status === 200 && body.invocations.map(({ summary }) => summary)]).toEqual([
    200,
    [
      ...Array.from({ length: 4 }, () => 'an event of no family'),
      'an event of the family load-balancer',
      'GET /a',
    ],
  ])
})

describe('what goes wrong', () => {
  const answer = (statusCode: number) => ({
    ...{ statusCode, statusDescription: `${statusCode} As asked`, isBase64Encoded: false, body: '' },
  })
  const asked = {
    answers: {
      handler: async ({ path }: { readonly path: string }) => {
        if (path === '/200/noisy') console.error('the stock is stale')
        return answer(Number(path.split('/')[1]))
      },
    },
    checks: {
      handler: async ({ userName, ...event }: { readonly userName: string }) => {
        if (userName === 'denied')
          throw Object.assign(new Error('no'), { name: 'DeniedError', code: 'DENIED' })
        if (userName === 'broken') throw new TypeError('x is not a function')
        return { ...event, userName }
      },
    },
    batches: {
      handler: async ({ Records }: { readonly Records: readonly { readonly messageId: string }[] }) => ({
        batchItemFailures: [{ itemIdentifier: Records[0]!.messageId }],
      }),
    },
  }

  it('is what hurts, and not what the contract forbids, in lists, counts, plots and filters', async () => {
    await using setup = await consolePlatform({ functions: asked })
    const sample = async (name: string) => {
      const { body } = await setup.api.get('/samples/{name}', { params: { name } })
      return (body as { readonly event: object }).event
    }
    const paths = ['/200', '/404', '/500', '/200/noisy']
    for (const path of paths) await setup.platform.invoke('answers', httpGet(path))
    const signUp = await sample('PreSignUp_SignUp')
    for (const userName of ['fine', 'denied', 'broken'])
      await setup.platform.invoke('checks', { ...signUp, userName })
    await setup.platform.invoke('batches', await sample('queue'))
    const { body } = (await setup.api.get('/invocations')) as {
      body: { invocations: readonly { severity: string; loggedErrors: number; verdict?: { ok: boolean } }[] }
    }
    const listed = body.invocations.toReversed()
    expect(listed.map(({ severity }) => severity)).toEqual([
      ...['ok', 'warning', 'error', 'warning'],
      ...['ok', 'neutral', 'error'],
      'warning',
    ])
    expect(listed.map(({ loggedErrors }) => loggedErrors)).toEqual([0, 0, 0, 1, 0, 0, 0, 0])
    const found = await setup.api.get('/invocations', { query: { function: 'answers', severity: 'error' } })
    expect(found.body).toMatchObject({ invocations: [{ summary: 'GET /500', verdict: { ok: true } }] })
    const { body: functions } = await setup.api.get('/functions')
    expect(functions).toMatchObject([
      { name: 'answers', calls: 4, errors: 1, warnings: 2 },
      { name: 'checks', calls: 3, errors: 1, warnings: 0 },
      { name: 'batches', calls: 1 },
    ])
    const { body: series } = await setup.api.get('/functions/{name}/series', {
      params: { name: 'answers' },
      query: { steps: 1 },
    })
    expect(series).toMatchObject({ points: [{ calls: 4, errors: 1, warnings: 2 }] })
    const again = await setup.api.post('/invocations', { body: { again: 3 } })
    expect(again.body).toMatchObject({ severity: 'error', verdict: { ok: true } })
  })
})

it('the console shows the event of a function with a dialect as the function got it', async () => {
  const seen: unknown[] = []
  await using setup = await consolePlatform({
    functions: {
      shop: {
        handler: async (event: unknown) => void seen.push(event),
        dialect: {
          event: (event: unknown) => ({ provided: event }),
          result: (answer: unknown) => answer,
        },
      },
      plain: functions.shop,
      odd: {
        ...functions.shop,
        dialect: {
          event() {
            throw new Error('no')
          },
          result: (answer: unknown) => answer,
        },
      },
    },
  })
  for (const name of ['shop', 'plain', 'odd']) await setup.platform.invoke(name, { order: 7 })
  const shown = async (id: number) => {
    const { body } = await setup.api.get('/invocations/{id}', { params: { id } })
    return body as { readonly event: string; readonly eventInDialect?: string }
  }
  const { event, eventInDialect } = await shown(1)
  expect([JSON.parse(event), JSON.parse(eventInDialect!)]).toEqual([{ order: 7 }, seen[0]])
  expect((await shown(2)).eventInDialect).toBeUndefined()
  expect((await shown(3)).eventInDialect).toBeUndefined()
})
