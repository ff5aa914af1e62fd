import { afterEach, describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import { createError } from '@middy/util'
import { type Request, signalbox } from '@signalbox/core'
import { invocationContext } from '@signalbox/core/testing'
import * as t from 'io-ts'
import {
  type Answer,
  any,
  bytes,
  del,
  get,
  group,
  HttpError,
  type HttpRequest,
  head,
  json,
  type LoadBalancerOptions,
  loadBalancer,
  type Method,
  options,
  patch,
  post,
  put,
  type Route,
  type RouteGroup,
  text,
  withCookie,
} from './index.ts'
import { exchange, type HttpEventOptions, httpEvent } from './testing/index.ts'

afterEach(() => {
  delete process.env.NODE_ENV
})

const modes = [{ multiValue: false }, { multiValue: true }]

/** A handler, the lines it logged, and a way to ask it. */
function served(routes: readonly (Route | RouteGroup)[], settings: LoadBalancerOptions = {}) {
  const log: string[] = []
  const handler = signalbox(loadBalancer(routes, { log: line => log.push(line), ...settings }))
  const ask = (method: Method, path: string, more: HttpEventOptions = {}) =>
    exchange(handler, httpEvent(method, path, more))
  return { handler, log, ask }
}

describe.each(modes)('loadBalancer, $multiValue', mode => {
  it('answers by method and path', async () => {
    const { ask } = served(
      [get, post, put, patch, del, head, options].map((add, i) => add('/a', () => ({ statusCode: 200 + i }))),
    )
    const statuses = []
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const) {
      statuses.push((await ask(method, '/a', mode)).status)
    }
    expect(statuses).toEqual([200, 201, 202, 203, 204, 205, 206])
  })

  it('gives parameters decoded once, by the names of the route', async () => {
    const { ask } = served([get('/a/{my-id}/{rest+}', ({ params }) => json(params))])
    const found = await ask('GET', '/a/%2541%20b/c/d%2Fe%C3%A9', mode)
    expect(found.json).toEqual({ 'my-id': '%41 b', rest: 'c/d/eé' })
  })

  it('a malformed escape in the path is 400, in the query as it is', async () => {
    const { ask } = served([get('/a/{id}', ({ query }) => json(query.all('q')))])
    for (const id of ['%', '%zz', '%C3', '%E0%A4%A']) {
      const found = await ask('GET', `/a/${id}`, mode)
      expect(found.status).toBe(400)
      expect(found.header('content-type')).toEqual(['application/problem+json'])
    }
    expect((await ask('GET', '/a/1?q=%zz', mode)).json).toEqual(['%zz'])
  })

  it('an unknown path is 404', async () => {
    const { ask } = served([get('/a', () => json(1))])
    const found = await ask('GET', '/b', mode)
    expect(found.status).toBe(404)
    expect(found.json).toEqual({ title: 'Not Found', status: 404, detail: 'There is nothing at this path' })
  })

  it('a path known for another method is 405 with Allow', async () => {
    const { ask } = served([get('/a', () => json(1)), post('/{x}', () => json(1))])
    const found = await ask('DELETE', '/a', mode)
    expect(found.status).toBe(405)
    expect(found.header('allow')).toEqual(['GET, HEAD, OPTIONS, POST'])
  })

  it('HEAD answers from GET without a body', async () => {
    const { ask } = served([get('/a', () => json(1, { headers: { etag: '"1"' } }))])
    const found = await ask('HEAD', '/a', mode)
    expect(found).toMatchObject({ status: 200, text: '' })
    expect(found.header('etag')).toEqual(['"1"'])
  })

  it('OPTIONS answers with Allow', async () => {
    const { ask } = served([get('/a', () => json(1)), put('/a', () => json(1))])
    const found = await ask('OPTIONS', '/a', mode)
    expect(found.status).toBe(204)
    expect(found.header('allow')).toEqual(['GET, HEAD, OPTIONS, PUT'])
    expect((await ask('OPTIONS', '/b', mode)).status).toBe(404)
  })

  it('does not mutate the event', async () => {
    const freeze = (value: unknown): unknown => {
      if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
      return value
    }
    const { handler } = served([
      post('/a/{id}', { body: t.unknown }, ({ params, query, headers, cookies, toWebRequest }) =>
        json([params, query.names(), headers.names(), cookies, toWebRequest().url]),
      ),
      group(
        '/b',
        [{ before: () => undefined }],
        [post('/{id}', middy().handler((async () => json(1)) as never))],
      ),
    ])
    for (const path of ['/a/1', '/b/1']) {
      const event = freeze(httpEvent('POST', path, { ...mode, body: {} }))
      expect(await handler(event)).toMatchObject({ statusCode: 200 })
    }
  })

  it('says 400, 413 and 415 as problem+json', async () => {
    const { ask, log } = served([
      post('/a', { body: t.type({ id: t.string }), bodyLimit: 20 }, () => json(1)),
    ])
    const wrong = await ask('POST', '/a', { ...mode, body: { id: 7 } })
    expect(wrong.json).toEqual({
      title: 'Bad Request',
      status: 400,
      detail: 'The request is not as expected',
      problems: [{ in: 'body', pointer: '/id', expected: 'string', actual: 'number 7' }],
    })
    expect(await ask('POST', '/a', { ...mode, body: { id: 'a'.repeat(20) } })).toMatchObject({ status: 413 })
    expect(await ask('POST', '/a', { ...mode, body: 'id' })).toMatchObject({ status: 415 })
    expect(
      await ask('POST', '/a', { ...mode, headers: { 'content-type': 'application/json' }, body: '{' }),
    ).toMatchObject({ status: 400 })
    expect(log).toEqual([])
  })

  it('HttpError and middy’s createError become problem+json, thrown or rejected', async () => {
    const { ask, log } = served([
      get('/thrown', () => {
        throw new HttpError(418, 'short and stout', { headers: { 'retry-after': 60 } })
      }),
      get('/rejected', async () => {
        throw createError(422, 'no')
      }),
    ])
    const thrown = await ask('GET', '/thrown', mode)
    expect(thrown.json).toMatchObject({ status: 418, detail: 'short and stout' })
    expect(thrown.header('retry-after')).toEqual(['60'])
    expect((await ask('GET', '/rejected', mode)).json).toMatchObject({ status: 422, detail: 'no' })
    expect(log).toEqual([])
  })

  it('unknown errors are 500 without detail, and reach onError whole', async () => {
    const boom = new Error('secret')
    const { handler, log } = served([
      get('/a', () => {
        throw boom
      }),
    ])
    const seen: unknown[] = []
    handler.onError((request: Request) => {
      seen.push(request.error)
    })
    const found = await exchange(handler, httpEvent('GET', '/a', mode))
    expect(found.json).toEqual({ title: 'Internal Server Error', status: 500 })
    expect(seen[0]).toBe(boom)
    expect(log).toEqual([expect.stringContaining('GET /a failed: Error: secret')])
  })

  it.each([undefined, null, 'text', 7])('even if %p is what was thrown', async thrown => {
    const { ask, log } = served([get('/a', () => Promise.reject(thrown))])
    expect(await ask('GET', '/a', mode)).toMatchObject({ status: 500 })
    expect(log).toEqual([`GET /a failed: ${thrown}`])
  })

  it('shows the detail in development', async () => {
    process.env.NODE_ENV = 'development'
    const { ask } = served([get('/a', () => Promise.reject(new Error('why')))])
    expect((await ask('GET', '/a', mode)).json).toMatchObject({ detail: expect.stringContaining('why') })
  })

  it('an answer that breaks the contract is 500, and the log names its route', async () => {
    const { ask, log } = served([
      get('/a/{id}', (() => undefined) as never),
      get('/b', async () => null as never),
      get('/c', () => 'c' as never),
      get('/d', () => json(1, { headers: { 'x-a': 'b\r\nc' } })),
    ])
    for (const path of ['/a/1', '/b', '/c', '/d'])
      expect(await ask('GET', path, mode)).toMatchObject({ status: 500 })
    expect(log.map(line => line.split('\n')[0])).toEqual([
      expect.stringContaining('What GET /a/{id} returned breaks the contract'),
      expect.stringContaining('What GET /b returned'),
      expect.stringContaining('What GET /c returned'),
      expect.stringContaining('What GET /d returned'),
    ])
  })

  it('a response above 1 MB is 500 and a log line, before the platform would with 502', async () => {
    const { ask, log } = served([get('/a', () => bytes(new Uint8Array(800_000)))])
    const found = await ask('GET', '/a', mode)
    expect(found.verdict).toMatchObject({ kind: 'answered', status: 500 })
    expect(log).toEqual([expect.stringContaining('expected at most 1048576 bytes of JSON')])
  })

  it('an event that breaks the contract rejects, so that the platform says 502', async () => {
    const { handler, log } = served([any('/{x+}', () => json(1))])
    const broken = { ...httpEvent('GET', '/', mode), isBase64Encoded: null }
    await expect(handler(broken)).rejects.toMatchObject({ code: 'INVALID_EVENT' })
    expect(log).toEqual([])
  })

  it('any middy handler can be a route handler', async () => {
    const own = middy()
      .use({
        after: request => {
          request.response = text(request.response.body)
        },
      })
      .handler((async (event: { pathParameters: unknown }) => json(event.pathParameters)) as never)
    const plain = middy().handler((async (event: { pathParameters: unknown }) =>
      json(event.pathParameters)) as never)
    const { ask } = served([get('/a/{id}', own), get('/b/{id}', plain)])
    expect(await ask('GET', '/a/1', mode)).toMatchObject({ text: '{"id":"1"}' })
    expect((await ask('GET', '/b/%41', mode)).json).toEqual({ id: 'A' })
  })

  it('a Web Response goes out byte for byte, with all its cookies', async () => {
    const { ask } = served([
      get('/a', () => {
        const response = Response.json({ a: 'é' }, { status: 201, statusText: 'Made' })
        response.headers.append('set-cookie', 'a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT')
        if (mode.multiValue) response.headers.append('set-cookie', 'b=2')
        return response
      }),
      get(
        '/b',
        async () => new Response(new Uint8Array([0xff, 0]), { headers: { 'content-type': 'text/plain' } }),
      ),
      get('/c', () => new Response(null, { status: 204 })),
    ])
    const found = await ask('GET', '/a', mode)
    expect(found.verdict).toMatchObject({ status: 201, reason: 'Made' })
    expect(found.json).toEqual({ a: 'é' })
    expect(found.header('set-cookie')).toHaveLength(mode.multiValue ? 2 : 1)
    expect([...(await ask('GET', '/b', mode)).verdict.body]).toEqual([0xff, 0])
    expect(await ask('GET', '/c', mode)).toMatchObject({ status: 204, text: '' })
  })

  it('off-the-shelf middlewares that know single headers only are right in both modes', async () => {
    const { handler } = served([get('/a', () => withCookie(text('a'), 'a', '1'))])
    handler.use({
      after: (request: Request<unknown, { headers: Record<string, string> }>) => {
        request.response!.headers['X-Powered-By'] = 'middy'
      },
    })
    const found = await exchange(handler, httpEvent('GET', '/a', mode))
    expect(found.header('x-powered-by')).toEqual(['middy'])
    expect(found.header('set-cookie')).toHaveLength(1)
  })

  it('onError may answer itself, and what it answers is written as all else', async () => {
    const { handler, log } = served([get('/{what}', () => Promise.reject(new Error('x')))])
    handler.onError((request: Request<{ path: string }>) => {
      request.response = request.event.path === '/good' ? text('sorry', { status: 503 }) : { statusCode: 7 }
    })
    expect(await exchange(handler, httpEvent('GET', '/good', mode))).toMatchObject({
      status: 503,
      text: 'sorry',
    })
    expect(log).toEqual([])
    expect(await exchange(handler, httpEvent('GET', '/bad', mode))).toMatchObject({ status: 500 })
    expect(log).toEqual([expect.stringContaining('/statusCode')])
  })

  it('a cookie too many in single mode is 500, and the log names the switch', async () => {
    const { ask, log } = served([get('/a', () => withCookie(withCookie(json(1), 'a', '1'), 'b', '2'))])
    const found = await ask('GET', '/a', mode)
    expect(found.status).toBe(mode.multiValue ? 200 : 500)
    expect(found.header('set-cookie')).toHaveLength(mode.multiValue ? 2 : 0)
    expect(log.join()).toMatch(mode.multiValue ? /^$/ : /turn on multi-value headers/)
  })
})

describe('groups', () => {
  it('run their middlewares around each route, with the parameters of prefix and path', async () => {
    const steps: string[] = []
    const step = (name: string) => ({
      before: () => void steps.push(`before ${name}`),
      after: (request: Request) =>
        void steps.push(`after ${name} ${(request.response as Answer & object) && 'reply'}`),
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
    expect(steps).toEqual(['before outer', 'before inner', 'after inner reply', 'after outer reply'])
    await ask('GET', '/free')
    expect(steps).toHaveLength(4)
  })

  it('may turn requests away, answer early, change the event or the reply, and handle errors', async () => {
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

  it('check the input inside their middlewares, so that nobody learns of it who may not come in', async () => {
    const guard = { before: () => Promise.reject(new HttpError(401, 'who?')) }
    const { ask } = served([group('/g', [guard], [post('/{id}', { body: t.string }, () => json(1))])])
    expect(await ask('POST', '/g/%zz', { body: 7 })).toMatchObject({ status: 401 })
  })

  it('hand on context and signal', async () => {
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

  it('answer OPTIONS inside their middlewares', async () => {
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

describe('options', () => {
  const address = [get('/', ({ clientAddress }: HttpRequest) => json(clientAddress ?? null))]

  it('trustedHops says who wrote x-forwarded-for', async () => {
    const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.7, 10.0.0.1' }
    expect((await served(address).ask('GET', '/', { headers })).json).toBe('10.0.0.1')
    expect((await served(address, { trustedHops: 2 }).ask('GET', '/', { headers })).json).toBe('203.0.113.7')
  })

  it('bodyLimit says how long a body may be', async () => {
    const { ask } = served([post('/', ({ body }) => json(body))], { bodyLimit: 3 })
    expect(await ask('POST', '/', { body: 'abc' })).toMatchObject({ status: 200 })
    expect(await ask('POST', '/', { body: 'abcd' })).toMatchObject({ status: 413 })
  })

  it.each([
    [{ trustedHops: 0 }, 'trustedHops is 0'],
    [{ trustedHops: 1.5 }, 'trustedHops is 1.5'],
    [{ bodyLimit: -1 }, 'bodyLimit is -1'],
    [{ trustedHop: 1 }, 'loadBalancer() has no option "trustedHop". Did you mean trustedHops?'],
  ])('%j is refused', (settings, message) => {
    expect(() => loadBalancer([], settings as never)).toThrow(message)
  })

  it('a route without a handler is refused', () => {
    expect(() => loadBalancer([get('/a', undefined as never)])).toThrow('The route GET /a has no handler')
    expect(() => loadBalancer([get('/a', {} as never, 7 as never)])).toThrow(
      'The route GET /a has no handler',
    )
  })

  it('duplicate routes are refused, in groups too', () => {
    const a = get('/a/b', () => json(1))
    expect(() => loadBalancer([a, group('/a', [], [get('/b', () => json(2))])])).toThrow(
      'GET /a/b is there twice',
    )
  })
})
