import { afterEach, describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import { createError } from '@middy/util'
import { type Request, signalbox } from '@signalbox/core'
import * as t from 'io-ts'
import {
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

  it('a route may have a limit of its own, whichever way the body is read', async () => {
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

  it('errors for the client are replies to after hooks, all others go through onError', async () => {
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

  it('even if what was thrown has no text', async () => {
    const { ask, log } = served([get('/a', () => Promise.reject(Object.create(null)))])
    expect(await ask('GET', '/a', mode)).toMatchObject({ status: 500 })
    expect(log).toEqual(['GET /a failed: something that has no text was thrown'])
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

  it('an answer that an onError hook returns, and that cannot be written, is a 500 in the log', async () => {
    const { handler, log } = served([get('/a', () => Promise.reject(new Error('broken')))])
    handler.onError(() => 'sorry')
    expect(await exchange(handler, httpEvent('GET', '/a', mode))).toMatchObject({ status: 500 })
    expect(log).toEqual([expect.stringContaining('expected a reply with a statusCode, was a string')])
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

describe.each(modes)('a middleware that answers early, $multiValue', mode => {
  it.each(['before', 'after'] as const)('in %s is serialized like a route', async when => {
    const handler = signalbox(loadBalancer([get('/', () => json('late'))]))[when](() =>
      withCookie(json('early'), 'a', '1'),
    )
    const answered = await exchange(handler, httpEvent('GET', '/', mode))
    expect([answered.status, answered.text, answered.header('set-cookie').length]).toEqual([
      200,
      '"early"',
      1,
    ])
  })
})
