import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { talk } from '../../../platform-runtime/src/testing/raw-client.ts'
import { type ConsolePlatform, consolePlatform } from '../testing/console-platform.ts'

let setup: ConsolePlatform
beforeAll(async () => {
  setup = await consolePlatform({ functions: { shop: { handler: async () => ({}) } } })
})
afterAll(() => setup.platform.stop())

/** Sends a head as it is, with a host of the test's choice. */
const ask = async (head: string, { host = 'localhost', cookie = setup.cookie, body = '' } = {}) => {
  const own = `Host: ${host.replace('PORT', new URL(setup.origin).port)}\r\nCookie: ${cookie}`
  const text = `${head}\r\n${own}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
  const { responses } = await talk(setup.origin, text)
  const { status, headers, body: answer } = responses[0]!
  return { status, headers: Object.fromEntries(headers), body: answer.toString() }
}
const list = 'GET /console/api/invocations HTTP/1.1'
const change = 'DELETE /console/api/session HTTP/1.1'

it('a visitor with a session reads the console', async () => {
  expect((await ask(list)).status).toBe(200)
  expect((await ask(`${list}\r\nSec-Fetch-Site: same-origin`)).status).toBe(200)
  expect((await ask(`${list}\r\nOrigin: http://localhost`)).status).toBe(200)
})

it.each(['', 'signalbox-1=x', 'signalbox-PORT=', 'signalbox-PORT=guessed'])(
  'the console refuses the cookie %j with 401',
  async cookie => {
    const answer = await ask(list, { cookie: cookie.replace('PORT', new URL(setup.origin).port) })
    expect(answer).toMatchObject({ status: 401, body: expect.stringContaining('Open the link') })
  },
)

it.each([
  'attacker.example',
  'localhost.attacker.example',
  '127.0.0.1.nip.io',
  'x@localhost',
  '10.0.0.7',
  '',
])('the console refuses the foreign host %j (DNS rebinding)', async host => {
  expect((await ask(list, { host })).status).toBe(400)
})

it.each([
  'Origin: http://attacker.example',
  'Origin: null',
  // Another port of this host is another origin, although it is the same site.
  'Origin: http://localhost:1',
  'Origin: https://localhost',
  'Sec-Fetch-Site: cross-site',
  'Sec-Fetch-Site: same-site',
])('the console refuses requests of foreign pages, which have the cookie: %s', async header => {
  expect((await ask(`${list}\r\n${header}`)).status).toBe(403)
  expect((await ask(`${change}\r\nX-Signalbox-Console: 1\r\n${header}`)).status).toBe(403)
})

it('the console refuses changes without its own header, which a form of a foreign page cannot send', async () => {
  expect(await ask(change)).toMatchObject({
    status: 403,
    body: expect.stringContaining('x-signalbox-console'),
  })
  expect((await ask(`${change}\r\nX-Signalbox-Console: 1\r\nSec-Fetch-Site: none`)).status).toBe(403)
})

it('a link opens one session, once, with a cookie that scripts and other sites cannot use', async () => {
  const token = new URL(setup.platform.consoleLink()).hash.replace('#token=', '')
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

it('a session ends when the visitor leaves', async () => {
  await using other = await consolePlatform({ functions: { shop: { handler: async () => ({}) } } })
  expect((await other.api.get('/session')).status).toBe(200)
  expect((await other.api.del('/session')).status).toBe(204)
  expect((await other.fetch('/console/api/session')).status).toBe(401)
})

it('answers of the console run nothing, are not framed and are not kept', async () => {
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

it('a platform without the option has no console', async () => {
  const { createPlatform } = await import('../../../platform/src/index.ts')
  const platform = createPlatform({
    functions: { shop: { handler: async () => ({}) } },
    dataDir: ':memory:',
    control: { port: 0 },
  })
  const [control] = await platform.start()
  expect((await fetch(`${control!.url}/console/api/session`)).status).toBe(404)
  expect(() => platform.consoleLink()).toThrow('give createPlatform the option console')
  await platform.stop()
})

it('a bearer token reads or changes what the rights of its identity over the console allow', async () => {
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
  expect(await statuses('READER')).toEqual([200, 401])
  expect(await statuses('ACTOR')).toEqual([200, 200])
  expect(await statuses('OTHER')).toEqual([401, 401])
  expect(await statuses('ACTOR', 'secret-of-nothing-which-is-long')).toEqual([401, 401])
})
