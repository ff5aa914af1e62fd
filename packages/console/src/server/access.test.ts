import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { systemClock } from '@signalbox/core/base'
import { systemRandom } from '@signalbox/platform-runtime'
import { readLocalAccessLog, withStoredKeys } from '@signalbox/platform-runtime/platform/testing/parts'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { talk } from '@signalbox/platform-runtime/testing/raw-client'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { type ConsolePlatform, consolePlatform } from '../testing/console-platform.ts'
import { createPlatform } from '../testing/console-program.ts'

let setup: ConsolePlatform
beforeAll(async () => {
  setup = await consolePlatform({ functions: { shop: { handler: async () => ({}) } } })
})
afterAll(() => setup.platform.stop())

/** Sends a request head unchanged. Its Host header can have any value. */
const ask = async (head: string, { host = 'localhost:PORT', cookie = setup.cookie, body = '' } = {}) => {
  const own = `Host: ${host}\r\nCookie: ${cookie}`
  const start = `${head}\r\n${own}`.replaceAll('PORT', new URL(setup.origin).port)
  const text = `${start}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
  const { responses } = await talk(setup.origin, text)
  const { status, headers, body: answer } = responses[0]!
  return { status, headers: Object.fromEntries(headers), body: answer.toString() }
}
const list = 'GET /console/api/invocations HTTP/1.1'
const change = 'DELETE /console/api/session HTTP/1.1'

it('a visitor with a session can read the console', async () => {
  expect((await ask(list)).status).toBe(200)
  expect((await ask(`${list}\r\nSec-Fetch-Site: same-origin`)).status).toBe(200)
  expect((await ask(`${list}\r\nOrigin: http://localhost:PORT`)).status).toBe(200)
})

it.each([
  ['no cookie', ''],
  ['the cookie of another port', 'signalbox-1=x'],
  ['an empty cookie', 'signalbox-PORT='],
  ['a guessed cookie', 'signalbox-PORT=guessed'],
])('the console answers 401 to a request with %s', async (_case, cookie) => {
  const answer = await ask(list, { cookie })
  expect(answer).toMatchObject({ status: 401, body: expect.stringContaining('Open the link') })
})

it.each([
  'attacker.example',
  'localhost.attacker.example',
  '127.0.0.1.nip.io',
  'x@localhost',
  '10.0.0.7',
  '',
])('the console refuses the Host header %j, which could come from DNS rebinding', async host => {
  expect((await ask(list, { host })).status).toBe(400)
})

it.each([
  'Origin: http://attacker.example',
  'Origin: null',
  // A different port on the same host is a different origin, although it is the same site.
  'Origin: http://localhost:1',
  'Origin: https://localhost',
  'Sec-Fetch-Site: cross-site',
  'Sec-Fetch-Site: same-site',
])('the console refuses a request from another origin even with a session cookie (%s)', async header => {
  expect((await ask(`${list}\r\n${header}`)).status).toBe(403)
  expect((await ask(`${change}\r\nX-Signalbox-Console: 1\r\n${header}`)).status).toBe(403)
})

it('the console refuses a change without the custom header, which cross-site forms cannot send', async () => {
  expect(await ask(change)).toMatchObject({
    status: 403,
    body: expect.stringContaining('x-signalbox-console'),
  })
  expect((await ask(`${change}\r\nX-Signalbox-Console: 1\r\nSec-Fetch-Site: none`)).status).toBe(403)
})

it('a console link opens only one session, whose cookie is HttpOnly and SameSite=Strict', async () => {
  const token = new URL(await setup.platform.consoleLink()).hash.replace('#token=', '')
  const enter = (body: object) =>
    setup.fetch('/console/api/session', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { cookie: '' },
    })
  const entered = await enter({ token })
  expect([entered.status, entered.headers.get('set-cookie')]).toEqual([
    204,
    expect.stringMatching(/^signalbox-\d+=[\w-]{43}; Path=\/console; HttpOnly; SameSite=Strict$/),
  ])
  expect((await enter({ token })).status).toBe(403)
  expect((await enter({ token: '' })).status).toBe(403)
  expect((await enter({ token: 7 })).status).toBe(400)
})

it('a session ends when the visitor signs out', async () => {
  await using other = await consolePlatform({ functions: { shop: { handler: async () => ({}) } } })
  expect((await other.api.get('/session')).status).toBe(200)
  expect((await other.api.del('/session')).status).toBe(204)
  expect((await other.fetch('/console/api/session')).status).toBe(401)
})

it('responses of the console API forbid scripts, frames and caching', async () => {
  for (const path of [
    '/console/api/invocations',
    '/console/api/nothing',
    '/console/api/invocations?last=x',
  ]) {
    const { headers } = await setup.fetch(path)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  }
})

it('a platform without the `console` option serves no console', async () => {
  const platform = createPlatform({
    functions: { shop: { handler: async () => ({}) } },
    dataDir: ':memory:',
    control: { port: 0 },
  })
  const [control] = await platform.start()
  expect((await fetch(`${control!.url}/console/api/session`)).status).toBe(404)
  await expect(platform.consoleLink()).rejects.toThrow('give createPlatform the option console')
  await platform.stop()
})

it('the console lets a client with a bearer token read or change data only if its key has that right', async () => {
  const key = (id: string) => ({ id, secret: `secret-of-${id}-which-is-long` })
  await using own = await consolePlatform({
    functions: { shop: { handler: async () => ({}) } },
    access: {
      identities: {
        reader: { keys: [key('READER')], rights: { console: { read: ['*'] } } },
        actor: { keys: [key('ACTOR')], rights: { console: { read: ['*'], act: ['*'] } } },
        other: { keys: [key('OTHER')] },
      },
    },
  })
  const statuses = async (id: string, secret = key(id).secret) => {
    const headers = { authorization: `Bearer ${id}.${secret}`, 'x-signalbox-console': '1' }
    const send = (path: string, init: RequestInit = {}) =>
      fetch(`${own.origin}/console/api${path}`, { ...init, headers }).then(({ status }) => status)
    const body = JSON.stringify({ function: 'shop', event: {} })
    return [await send('/invocations'), await send('/invocations', { method: 'POST', body })]
  }
  expect(await statuses('READER')).toEqual([200, 403])
  expect(await statuses('ACTOR')).toEqual([200, 200])
  expect(await statuses('OTHER')).toEqual([403, 403])
  expect(await statuses('ACTOR', 'secret-of-nothing-which-is-long')).toEqual([401, 401])
})

it('the session cookie has the prefix "__Host-" over TLS, so that browsers send it only to this origin', async () => {
  using folder = temporaryFolder()
  const [cert, key] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')]
  writeFileSync(cert, certificate.cert)
  writeFileSync(key, certificate.key)
  const platform = createPlatform(
    {
      functions: { shop: { handler: async () => ({}) } },
      control: { port: 0, tls: { cert, key }, names: ['localhost'] },
      dataDir: ':memory:',
    },
    { console: true },
  )
  await platform.start()
  const { origin, port, hash } = new URL(await platform.consoleLink())
  expect(origin).toBe(`https://localhost:${port}`)
  const ask = async (method: string, path: string, headers: object, body = '') => {
    const options = { method, ca: certificate.cert, host: '127.0.0.1', port, servername: 'localhost' }
    const sent = request({ ...options, path, headers: { host: `localhost:${port}`, ...headers } })
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    return answer
  }
  const own = { 'content-type': 'application/json', 'x-signalbox-console': '1', origin }
  const token = JSON.stringify({ token: hash.replace('#token=', '') })
  const entered = await ask('POST', '/console/api/session', own, token)
  const [cookie = ''] = entered.headers['set-cookie'] ?? []
  const [pair = '', ...attributes] = cookie.split('; ')
  expect(pair).toMatch(new RegExp(`^__Host-signalbox-${port}=.`))
  // Browsers refuse a cookie with the prefix __Host- if it has a domain, or if Path=/ or Secure is missing.
  const withoutAge = attributes.filter(each => !/^(max-age|expires)=/i.test(each))
  expect(withoutAge.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure'])
  const list = '/console/api/invocations'
  expect((await ask('GET', list, { cookie: pair })).statusCode).toBe(200)
  expect((await ask('GET', list, { cookie: pair.replace('__Host-', '') })).statusCode).toBe(401)
  expect((await ask('GET', list, { cookie: pair, origin: `http://localhost:${port}` })).statusCode).toBe(403)
  await expect(fetch(`http://127.0.0.1:${port}${list}`, { headers: { cookie: pair } })).rejects.toThrow()
  await platform.stop()
})

describe('a console behind a proxy that ends TLS', () => {
  const origin = 'https://console.example'
  const own = {
    'content-type': 'application/json',
    'x-signalbox-console': '1',
    host: 'console.example',
    origin,
  }
  const opened = () => consolePlatform({ functions: {}, control: { port: 0, origin, open: true } })
  const send = async (to: string, method: string, path: string, headers: object, body = '') => {
    const sent = plainRequest(`${to}${path}`, { method, headers: { ...headers } })
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    return answer
  }

  it('accepts requests only from its public origin, and sets a Secure cookie', async () => {
    await using behind = await opened()
    const link = new URL(await behind.platform.consoleLink())
    expect([link.origin, link.pathname]).toEqual([origin, '/console/'])
    const address = behind.url('control')
    const body = JSON.stringify({ token: link.hash.replace('#token=', '') })
    const entered = await send(address, 'POST', '/console/api/session', own, body)
    const [cookie = ''] = entered.headers['set-cookie'] ?? []
    expect([entered.statusCode, cookie]).toEqual([
      204,
      expect.stringMatching(/^__Host-signalbox-\d+=.*; Secure/),
    ])
    const [pair = ''] = cookie.split(';')
    const statusWith = async (headers: object) =>
      (await send(address, 'GET', '/console/api/functions', { cookie: pair, ...headers })).statusCode
    expect(await statusWith({ host: own.host, origin })).toBe(200)
    expect(await statusWith({ host: own.host, origin: 'http://console.example' })).toBe(403)
    expect(await statusWith({ host: own.host, origin: 'https://other.example' })).toBe(403)
    expect(await statusWith({ host: 'other.example' })).toBe(400)
    // Without the proxy, the console has a different origin and a different cookie.
    expect(await statusWith({ origin })).toBe(403)
    expect(await statusWith({})).toBe(401)
  })

  it.each(['console.example', 'https://console.example/', 'https://a.example/console', 'ftp://a.example', 7])(
    'refuses %j as its public origin',
    value => {
      expect(() => createPlatform({ functions: {}, control: { origin: value as string } })).toThrow(
        '/control/origin: expected an origin such as https://console.example.com',
      )
    },
  )
})

describe('a console with access control', () => {
  const key = (id: string) => ({ id, secret: `secret-of-${id}-which-is-long` })
  const opened = (dataDir = ':memory:') =>
    consolePlatform({
      dataDir,
      functions: { shop: { handler: async () => ({}) } },
      queues: { orders: {} },
      queueListener: { port: 0 },
      access: {
        identities: {
          reader: { keys: [key('READER')], rights: { console: { read: ['*'] } } },
          actor: { keys: [key('ACTOR')], rights: { console: { read: ['*'], act: ['*'] } } },
          other: { keys: [key('OTHER')], rights: { queues: { send: ['*'] } } },
          stored: { rights: { console: { read: ['*'] } } },
        },
      },
    })
  const signIn = (own: ConsolePlatform, body: object) =>
    own.fetch('/console/api/session', {
      method: 'POST',
      headers: { cookie: '' },
      body: JSON.stringify(body),
    })
  const as = (cookie: string) => ({ headers: { cookie } })

  it('lets a visitor sign in with a key, and limits the session to the rights of that key', async () => {
    await using own = await opened()
    const entered = await signIn(own, key('READER'))
    expect(entered.status).toBe(204)
    const cookie = entered.headers.get('set-cookie')!.split(';')[0]!
    expect(await (await own.fetch('/console/api/session', as(cookie))).json()).toEqual({
      name: 'reader',
      mayAct: false,
    })
    expect((await own.fetch('/console/api/queues', as(cookie))).status).toBe(200)
    const refused = await own.fetch('/console/api/queues/orders/purge', {
      method: 'POST',
      body: JSON.stringify({ confirm: 'orders' }),
      ...as(cookie),
    })
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { error: 'reader does not have the right act over the console.' },
    ])
  })

  it('refuses an unknown key, a wrong secret or a key without the right to read, and gives the reason', async () => {
    await using own = await opened()
    const wrong = 'The key does not exist, or its secret is wrong.'
    for (const [body, error] of [
      [key('NOTHING'), wrong],
      [{ ...key('READER'), secret: key('ACTOR').secret }, wrong],
      [key('OTHER'), 'other does not have the right read over the console.'],
    ] as const) {
      const answer = await signIn(own, body)
      expect([answer.status, await answer.json(), answer.headers.get('set-cookie')]).toEqual([
        403,
        { error },
        null,
      ])
    }
    const closed = await own.fetch('/console/api/session', as(''))
    expect([closed.status, await closed.json()]).toEqual([
      401,
      { error: expect.stringContaining('Sign in with a key'), takesKeys: true },
    ])
    expect((await signIn(setup, key('READER'))).status).toBe(403)
  })

  it('answers 429 to a visitor after too many wrong secrets', async () => {
    await using own = await opened()
    const statuses: number[] = []
    for (let i = 0; i < 31; i++)
      statuses.push((await signIn(own, { id: 'READER', secret: `guess ${i}` })).status)
    expect([statuses[29], statuses[30]]).toEqual([403, 429])
    expect((await signIn(own, key('READER'))).status).toBe(429)
    expect((await signIn(own, key('ACTOR'))).status).toBe(204)
  })

  it('ends the sessions and the live streams of a revoked key', async () => {
    using folder = temporaryFolder()
    const parts = { clock: systemClock, random: systemRandom }
    const settings = { dataDir: folder.path, storage: undefined, invocationLog: { age: 1, size: 1 } }
    const made = await withStoredKeys(settings, parts, store => store.add('stored'))
    await using own = await opened(folder.path)
    const entered = await signIn(own, { id: made.accessKeyId, secret: made.secretAccessKey })
    const cookie = entered.headers.get('set-cookie')!.split(';')[0]!
    expect((await own.fetch('/console/api/queues', as(cookie))).status).toBe(200)
    const stream = await own.fetch('/console/api/live', as(cookie))
    await withStoredKeys(settings, parts, store => store.revoke(made.accessKeyId))
    expect((await own.fetch('/console/api/queues', as(cookie))).status).toBe(401)
    await own.platform.invoke('shop', {})
    expect(await stream.text()).toBe(': connected\n\n')
  })

  it('logs sign-ins, changes, refused requests and requests for personal data', async () => {
    using folder = temporaryFolder()
    {
      await using own = await opened(folder.path)
      const reader = { headers: { authorization: `Bearer READER.${key('READER').secret}` } }
      await signIn(own, key('ACTOR'))
      await signIn(own, key('OTHER'))
      await own.fetch('/console/api/queues')
      await own.fetch('/console/api/queues/orders/messages')
      await own.fetch('/console/api/queues/orders/purge', {
        method: 'POST',
        body: JSON.stringify({ confirm: 'orders' }),
      })
      await own.fetch('/console/api/queues/orders/purge', { method: 'POST', body: '{}', ...reader })
      await own.fetch('/console/api/queues', { headers: { authorization: 'Bearer READER.x' } })
    }
    const entries = readLocalAccessLog(folder.path)
    expect(
      entries.map(({ identity, operation, resource, result }) =>
        [identity, operation, resource, result].join(' '),
      ),
    ).toEqual([
      'actor SignIn  allowed',
      'other SignIn  denied',
      'operator GET queues/orders/messages allowed',
      'operator POST queues/orders/purge allowed',
      'reader POST queues/orders/purge denied',
      ' GET  no valid token',
    ])
  })

  it('lists the access log, and filters it by result, identity, source and text', async () => {
    await using own = await opened()
    await signIn(own, key('ACTOR'))
    await signIn(own, key('OTHER'))
    const listed = async (query: object) => {
      const answer = await own.api.get('/access-log', { query })
      return answer.status === 200 && answer.body.map(({ identity, result }) => `${identity} ${result}`)
    }
    expect(await listed({})).toEqual(['other denied', 'actor allowed'])
    expect(await listed({ result: 'refused' })).toEqual(['other denied'])
    expect(await listed({ identity: 'actor', source: 'console', text: 'SignIn' })).toEqual(['actor allowed'])
    expect(await listed({ source: 'queues' })).toEqual([])
    expect((await own.api.get('/access-log', { query: { result: 'x' } as object })).status).toBe(400)
    expect((await setup.api.get('/access-log')).body).toEqual([])
  })
})
