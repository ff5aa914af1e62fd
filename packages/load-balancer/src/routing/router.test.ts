import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { InvalidOptionError, type Request, signalbox } from '@signalbox/core'
import { invocationContext } from '@signalbox/core/testing'
import * as t from 'io-ts'
import {
  get,
  group,
  HttpError,
  type HttpRequest,
  json,
  type LoadBalancerOptions,
  loadBalancer,
  type Method,
  noContent,
  post,
  type Route,
  type RouteGroup,
  router,
  text,
} from '../index.ts'
import { exchange, type HttpEventOptions, httpEvent } from '../testing/index.ts'

/** Returns a handler of these routes, and a function that sends requests to it. */
function served(routes: readonly (Route | RouteGroup)[], options: LoadBalancerOptions = {}) {
  const handler = signalbox(loadBalancer(routes, { log: () => undefined, ...options }))
  const ask = (method: Method, path: string, more: HttpEventOptions = {}) =>
    exchange(handler, httpEvent(method, path, more))
  return { handler, ask }
}

describe('groups of routes', () => {
  it('run their middlewares around each route, and pass the path parameters of the prefix to it', async () => {
    const steps: string[] = []
    const step = (name: string) => ({
      before: () => void steps.push(`before ${name}`),
      after: ({ response }: Request<unknown, { statusCode: number }>) =>
        void steps.push(`after ${name} ${response?.statusCode}`),
    })
    const { ask } = served([
      group(
        '/t/{tenant}',
        [step('outer')],
        [
          group(
            '/orders',
            [step('inner')],
            [get('/{id}', ({ params }) => json(params as Record<string, string>))],
          ),
        ],
      ),
      get('/free', () => json(1)),
    ])
    expect((await ask('GET', '/t/t1/orders/7')).json).toEqual({ tenant: 't1', id: '7' })
    expect(steps).toEqual(['before outer', 'before inner', 'after inner 200', 'after outer 200'])
    await ask('GET', '/free')
    expect(steps).toHaveLength(4)
  })

  it('have middlewares that can refuse requests, answer early, change replies and handle errors', async () => {
    const guard = {
      before: ({ event }: Request<{ headers: Record<string, string> }>) => {
        if (event.headers.early) return text('early')
        if (!event.headers.token) throw new HttpError(401, 'who?')
        return undefined
      },
    }
    const change = {
      before: (request: Request<object>) => {
        request.event = { ...request.event, body: 'changed' }
      },
      onError: (request: Request) => {
        if ((request.error as Error).message === 'handled') request.response = text('handled')
      },
    }
    const { ask } = served([
      group(
        '/g',
        [guard, change],
        [
          post('/body', ({ body }) => text(String(body))),
          post('/handled', () => Promise.reject(new Error('handled'))),
          post('/boom', () => Promise.reject(new Error('boom'))),
        ],
      ),
    ])
    const token = { headers: { token: '1' } }
    expect(await ask('POST', '/g/body')).toMatchObject({ status: 401 })
    expect(await ask('POST', '/g/body', { headers: { early: '1' } })).toMatchObject({ text: 'early' })
    expect(await ask('POST', '/g/body', token)).toMatchObject({ text: 'changed' })
    expect(await ask('POST', '/g/handled', token)).toMatchObject({ text: 'handled' })
    expect(await ask('POST', '/g/boom', token)).toMatchObject({ status: 500 })
  })

  it('have middlewares that get the whole context and can replace it', async () => {
    const known: unknown[] = []
    const replaced = {
      before: async (request: Request) => {
        known.push(Object.keys(request.context))
        // The delays make the steps of the two requests alternate.
        await delay(request.event === first ? 20 : 5)
        request.context = { ...request.context, functionName: `${request.context.functionName}!` }
      },
    }
    const route = get('/{id}', ({ params, signal }, { functionName }) =>
      json([params.id, functionName, signal.aborted]),
    )
    const { handler } = served([group('/g', [replaced], [route])])
    const [first, second] = [httpEvent('GET', '/g/1'), httpEvent('GET', '/g/2')]
    const context = { functionName: 'shop', requestId: 'r' }
    const answers = await Promise.all([first, second].map(event => handler(event, context)))
    expect(answers.map(({ body }) => JSON.parse(body!))).toEqual([
      ['1', 'shop!', false],
      ['2', 'shop!', false],
    ])
    expect(known).toEqual([
      ['functionName', 'requestId'],
      ['functionName', 'requestId'],
    ])
  })

  it('have middlewares that can answer with a Web Response in any hook', async () => {
    const early = { before: () => new Response('early', { headers: { 'set-cookie': 'a=1' } }) }
    const late = {
      after: (request: Request) => {
        request.response = new Response('late')
      },
    }
    const { ask } = served([
      group('/early', [early], [get('/', () => json(1))]),
      group('/late', [late], [get('/', () => json(1))]),
      group('/bad', [{ before: () => 'text' }], [get('/', () => json(1))]),
    ])
    const answered = await ask('GET', '/early')
    expect([answered.text, answered.header('set-cookie')]).toEqual(['early', ['a=1']])
    expect(await ask('GET', '/late')).toMatchObject({ text: 'late' })
    expect(await ask('GET', '/bad')).toMatchObject({ status: 500 })
  })

  it('run their middlewares before the input check, so that a refused client sees no validation problems', async () => {
    const guard = { before: () => Promise.reject(new HttpError(401, 'who?')) }
    const { ask } = served([group('/g', [guard], [post('/{id}', { body: t.string }, () => json(1))])])
    expect(await ask('POST', '/g/%zz', { body: 7 })).toMatchObject({ status: 401 })
  })

  it('pass the context and the signal to the routes', async () => {
    const context = invocationContext({ timeout: 1000 })
    const route = get('/a', ({ signal }, { functionName, getRemainingTimeInMillis }) =>
      json([functionName, signal.aborted, (getRemainingTimeInMillis?.() ?? 0) > 0]),
    )
    const handler = signalbox(loadBalancer([group('/g', [{ before: () => undefined }], [route])]))
    expect((await exchange(handler, httpEvent('GET', '/g/a'), context)).json).toEqual([
      'function',
      false,
      true,
    ])
  })

  it('run their middlewares around automatic answers to OPTIONS', async () => {
    const mark = {
      after: (request: Request<unknown, { headers: Record<string, string> }>) => {
        request.response!.headers.mark = '1'
      },
    }
    const { ask } = served([group('/g', [mark], [get('/a', () => json(1))]), post('/g/a', () => json(1))])
    const asked = await ask('OPTIONS', '/g/a')
    expect([asked.header('allow'), asked.header('mark')]).toEqual([['GET, HEAD, OPTIONS, POST'], ['1']])
    const forPost = await ask('OPTIONS', '/g/a', { headers: { 'access-control-request-method': 'POST' } })
    expect(forPost.header('mark')).toEqual([])
  })
})

describe('the arguments of loadBalancer()', () => {
  const address = [get('/', ({ clientAddress }: HttpRequest) => json(clientAddress ?? null))]

  it('include trustedHops, which selects the client address in x-forwarded-for', async () => {
    const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.7, 10.0.0.1' }
    expect((await served(address).ask('GET', '/', { headers })).json).toBe('10.0.0.1')
    expect((await served(address, { trustedHops: 2 }).ask('GET', '/', { headers })).json).toBe('203.0.113.7')
  })

  it('include bodyLimit, the maximum number of bytes in a request body', async () => {
    const { ask } = served([post('/', ({ body }) => json(body))], { bodyLimit: 3 })
    expect(await ask('POST', '/', { body: 'abc' })).toMatchObject({ status: 200 })
    expect(await ask('POST', '/', { body: 'abcd' })).toMatchObject({ status: 413 })
  })

  it.each([
    [{ trustedHops: 0 }, 'trustedHops is 0'],
    [{ trustedHops: 1.5 }, 'trustedHops is 1.5'],
    [{ bodyLimit: -1 }, 'bodyLimit is -1'],
    [{ trustedHop: 1 }, 'loadBalancer() has no option "trustedHop". Did you mean trustedHops?'],
  ])('do not allow the options %j', (settings, message) => {
    expect(() => loadBalancer([], settings as never)).toThrow(message)
  })

  it('do not allow a route without a handler', () => {
    expect(() => loadBalancer([get('/a', undefined as never)])).toThrow('The route GET /a has no handler')
    expect(() => loadBalancer([get('/a', {} as never, 7 as never)])).toThrow(
      'The route GET /a has no handler',
    )
  })

  it.each([
    ['an empty list for router()', () => router([]), 'router() has no routes'],
    ['an empty list of routes', () => loadBalancer([]), 'loadBalancer() has no routes'],
    ['missing routes', () => loadBalancer(undefined as never), 'The routes of loadBalancer() are nothing'],
    [
      'a route without a path',
      () => loadBalancer([get(undefined as never, () => noContent())]),
      'The path undefined is not text',
    ],
  ])('do not allow %s, and the error names what is missing', (_, make, message) => {
    expect(make).toThrow(message)
    expect(make).toThrow(InvalidOptionError)
  })

  it('do not allow duplicate routes, even in different groups', () => {
    const a = get('/a/b', () => json(1))
    expect(() => loadBalancer([a, group('/a', [], [get('/b', () => json(2))])])).toThrow(
      'GET /a/b is defined twice',
    )
  })
})
