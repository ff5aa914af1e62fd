import { afterEach, describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import { createError } from '@middy/util'
import { type Request, signalbox } from '@signalbox/core'
import * as t from 'io-ts'
import { headerModes } from '../fixtures/header-modes.ts'
import {
  type AddRoute,
  any,
  bytes,
  del,
  get,
  group,
  HttpError,
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
  toWebRequest,
  withCookie,
} from './index.ts'
import { exchange, type HttpEventOptions, httpEvent } from './testing/index.ts'

afterEach(() => {
  delete process.env.NODE_ENV
})

/** Returns a handler, the lines that it logs, and a function that sends requests to it. */
function served(routes: readonly (Route | RouteGroup)[], settings: LoadBalancerOptions = {}) {
  const log: string[] = []
  const handler = signalbox(loadBalancer(routes, { log: line => log.push(line), ...settings }))
  const ask = (method: Method, path: string, more: HttpEventOptions = {}) =>
    exchange(handler, httpEvent(method, path, more))
  return { handler, log, ask }
}

describe.each(headerModes)('loadBalancer() with %s', (_headers, multiValue) => {
  const mode = { multiValue }

  it('chooses the route by method and path', async () => {
    const { ask } = served(
      ([get, post, put, patch, del, head, options] as AddRoute[]).map((add, i) =>
        add('/a', () => ({ statusCode: 200 + i })),
      ),
    )
    const statuses = []
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const) {
      statuses.push((await ask(method, '/a', mode)).status)
    }
    expect(statuses).toEqual([200, 201, 202, 203, 204, 205, 206])
  })

  it('decodes path parameters only once, and uses the parameter names of the route', async () => {
    const { ask } = served([get('/a/{my-id}/{rest+}', ({ params }) => json(params))])
    const result = await ask('GET', '/a/%2541%20b/c/d%2Fe%C3%A9', mode)
    expect(result.json).toEqual({ 'my-id': '%41 b', rest: 'c/d/eé' })
  })

  it('refuses a malformed percent escape in the path, but accepts one in the query', async () => {
    const { ask } = served([get('/a/{id}', ({ query }) => json(query.all('q')))])
    for (const id of ['%', '%zz', '%C3', '%E0%A4%A']) {
      const result = await ask('GET', `/a/${id}`, mode)
      expect(result.status).toBe(400)
      expect(result.header('content-type')).toEqual(['application/problem+json'])
    }
    expect((await ask('GET', '/a/1?q=%zz', mode)).json).toEqual(['%zz'])
  })

  it('answers 404 to an unknown path', async () => {
    const { ask } = served([get('/a', () => json(1))])
    const result = await ask('GET', '/b', mode)
    expect(result.status).toBe(404)
    expect(result.json).toEqual({ title: 'Not Found', status: 404, detail: 'No route matches this path' })
  })

  it('answers 405 with an Allow header when the path has routes only for other methods', async () => {
    const { ask } = served([get('/a', () => json(1)), post('/{x}', () => json(1))])
    const result = await ask('DELETE', '/a', mode)
    expect(result.status).toBe(405)
    expect(result.header('allow')).toEqual(['GET, HEAD, OPTIONS, POST'])
  })

  it('answers HEAD with the GET route, but without a body', async () => {
    const { ask } = served([get('/a', () => json(1, { headers: { etag: '"1"' } }))])
    const result = await ask('HEAD', '/a', mode)
    expect(result).toMatchObject({ status: 200, text: '' })
    expect(result.header('etag')).toEqual(['"1"'])
  })

  it('answers OPTIONS with an Allow header', async () => {
    const { ask } = served([get('/a', () => json(1)), put('/a', () => json(1))])
    const result = await ask('OPTIONS', '/a', mode)
    expect(result.status).toBe(204)
    expect(result.header('allow')).toEqual(['GET, HEAD, OPTIONS, PUT'])
    expect((await ask('OPTIONS', '/b', mode)).status).toBe(404)
    const asked = await ask('OPTIONS', '/a', {
      ...mode,
      headers: { 'access-control-request-method': 'OPTIONS' },
    })
    expect(asked).toMatchObject({ status: 204 })
  })

  it('does not mutate the event', async () => {
    const freeze = (value: unknown): unknown => {
      if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
      return value
    }
    const { handler } = served([
      post('/a/{id}', { body: t.unknown }, request => {
        const { params, query, headers, cookies } = request
        return json([params, query.names(), headers.names(), cookies, toWebRequest(request).url])
      }),
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

  it('answers 400, 413 and 415 as problem+json', async () => {
    const { ask, log } = served([
      post('/a', { body: t.type({ id: t.string }), bodyLimit: 20 }, () => json(1)),
    ])
    const wrong = await ask('POST', '/a', { ...mode, body: { id: 7 } })
    expect(wrong.json).toEqual({
      title: 'Bad Request',
      status: 400,
      detail: 'The request does not match what is expected',
      problems: [{ in: 'body', pointer: '/id', expected: 'string', actual: 'number 7' }],
    })
    expect(await ask('POST', '/a', { ...mode, body: { id: 'a'.repeat(20) } })).toMatchObject({ status: 413 })
    expect(await ask('POST', '/a', { ...mode, body: 'id' })).toMatchObject({ status: 415 })
    expect(
      await ask('POST', '/a', { ...mode, headers: { 'content-type': 'application/json' }, body: '{' }),
    ).toMatchObject({ status: 400 })
    expect(log).toEqual([])
  })

  it('applies the bodyLimit of a route, no matter how the body is read', async () => {
    const { ask } = served(
      [
        post('/codec', { body: t.string, bodyLimit: 20 }, () => json(1)),
        post('/lazy', { bodyLimit: 20 }, ({ body }) => json(body)),
        post('/bytes', { bodyLimit: 20 }, request => bytes(request.bytes())),
        post('/usual', ({ body }) => json(body)),
      ],
      { bodyLimit: 10 },
    )
    for (const path of ['/codec', '/lazy', '/bytes', '/usual']) {
      const sent = async (length: number) =>
        (
          await ask('POST', path, {
            ...mode,
            headers: { 'content-type': 'application/json' },
            body: `"${'a'.repeat(length - 2)}"`,
          })
        ).status
      expect([await sent(10), await sent(20), await sent(21)]).toEqual([
        200,
        path === '/usual' ? 413 : 200,
        413,
      ])
    }
  })

  it('answers an HttpError or an error from createError() as problem+json', async () => {
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

  it('passes 4xx answers to after hooks, and 5xx errors to onError hooks', async () => {
    const { handler } = served([
      get('/gone', () => Promise.reject(new HttpError(410, 'gone'))),
      get('/down', () => Promise.reject(new HttpError(503, 'down'))),
      del('/none', () => json(1)),
    ])
    const seen: unknown[] = []
    handler.use({
      after: (request: Request<unknown, { statusCode: number }>) =>
        void seen.push(request.response?.statusCode),
      onError: (request: Request) => void seen.push(request.error),
    })
    for (const path of ['/gone', '/none', '/nowhere', '/down'])
      await exchange(handler, httpEvent('GET', path, mode))
    expect(seen).toEqual([410, 405, 404, expect.objectContaining({ statusCode: 503 })])
  })

  it('answers 500 without details for an unknown error, and passes the error unchanged to onError', async () => {
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
    const result = await exchange(handler, httpEvent('GET', '/a', mode))
    expect(result.json).toEqual({ title: 'Internal Server Error', status: 500 })
    expect(seen[0]).toBe(boom)
    expect(log).toEqual([expect.stringContaining('GET /a failed: Error: secret')])
  })

  it.each([undefined, null, 'text', 7])(
    'answers 500 without details when a route throws %p',
    async thrown => {
      const { ask, log } = served([get('/a', () => Promise.reject(thrown))])
      expect(await ask('GET', '/a', mode)).toMatchObject({ status: 500 })
      expect(log).toEqual([`GET /a failed: ${thrown}`])
    },
  )

  it('answers 500 without details when a route throws a value that cannot be converted to a string', async () => {
    const { ask, log } = served([
      get('/a', () =>
        Promise.reject({
          toJSON: () => {
            throw new Error('no')
          },
        }),
      ),
    ])
    expect(await ask('GET', '/a', mode)).toMatchObject({ status: 500 })
    expect(log).toEqual(['GET /a failed: a value without a text was thrown'])
  })

  it('shows the message of an unknown error in development', async () => {
    process.env.NODE_ENV = 'development'
    const { ask } = served([get('/a', () => Promise.reject(new Error('why')))])
    expect((await ask('GET', '/a', mode)).json).toMatchObject({ detail: expect.stringContaining('why') })
  })

  it('answers 500 and logs the route when a route returns an invalid response', async () => {
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

  it('answers 500 and logs a line for a response above 1 MB', async () => {
    const { ask, log } = served([get('/a', () => bytes(new Uint8Array(800_000)))])
    const result = await ask('GET', '/a', mode)
    expect(result.verdict).toMatchObject({ kind: 'answered', status: 500 })
    expect(log).toEqual([expect.stringContaining('expected at most 1048576 bytes of JSON')])
  })

  it('rejects an event that breaks the contract, so that the client gets a 502', async () => {
    const { handler, log } = served([any('/{x+}', () => json(1))])
    const broken = { ...httpEvent('GET', '/', mode), isBase64Encoded: null }
    await expect(handler(broken)).rejects.toMatchObject({ code: 'INVALID_EVENT' })
    expect(log).toEqual([])
  })

  it('accepts a middy handler as a route handler', async () => {
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

  it('answers 500 and logs a line when an onError hook returns an invalid answer', async () => {
    const { handler, log } = served([get('/a', () => Promise.reject(new Error('broken')))])
    handler.onError(() => 'sorry')
    expect(await exchange(handler, httpEvent('GET', '/a', mode))).toMatchObject({ status: 500 })
    expect(log).toEqual([expect.stringContaining('expected a reply with a statusCode, was a string')])
  })

  it('sends a Web Response unchanged, with all its cookies', async () => {
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
    const result = await ask('GET', '/a', mode)
    expect(result.verdict).toMatchObject({ status: 201, reason: 'Made' })
    expect(result.json).toEqual({ a: 'é' })
    expect(result.header('set-cookie')).toHaveLength(mode.multiValue ? 2 : 1)
    expect([...(await ask('GET', '/b', mode)).verdict.body]).toEqual([0xff, 0])
    expect(await ask('GET', '/c', mode)).toMatchObject({ status: 204, text: '' })
  })

  it('sends a header that a middleware writes into the headers map', async () => {
    const { handler } = served([get('/a', () => withCookie(text('a'), 'a', '1'))])
    handler.use({
      after: (request: Request<unknown, { headers: Record<string, string> }>) => {
        request.response!.headers['X-Powered-By'] = 'middy'
      },
    })
    const result = await exchange(handler, httpEvent('GET', '/a', mode))
    expect(result.header('x-powered-by')).toEqual(['middy'])
    expect(result.header('set-cookie')).toHaveLength(1)
  })

  it('serializes the answer that an onError hook assigns', async () => {
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

  it('sends several cookies in multi-value headers, but answers 500 if only single-value headers are allowed', async () => {
    const { ask, log } = served([get('/a', () => withCookie(withCookie(json(1), 'a', '1'), 'b', '2'))])
    const result = await ask('GET', '/a', mode)
    expect(result.status).toBe(mode.multiValue ? 200 : 500)
    expect(result.header('set-cookie')).toHaveLength(mode.multiValue ? 2 : 0)
    expect(log.join()).toMatch(mode.multiValue ? /^$/ : /turn on multi-value headers/)
  })
})

describe.each(headerModes)('a middleware with %s', (_headers, multiValue) => {
  const mode = { multiValue }

  it.each(['before', 'after'] as const)(
    'can answer from its %s hook, and the answer is serialized like the answer of a route',
    async when => {
      const handler = signalbox(loadBalancer([get('/', () => json('late'))]))[when](() =>
        withCookie(json('early'), 'a', '1'),
      )
      const answered = await exchange(handler, httpEvent('GET', '/', mode))
      expect([answered.status, answered.text, answered.header('set-cookie').length]).toEqual([
        200,
        '"early"',
        1,
      ])
    },
  )
})
