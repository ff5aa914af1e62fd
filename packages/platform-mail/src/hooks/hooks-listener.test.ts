import { once } from 'node:events'
import { describe, expect, it } from '@jest/globals'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import {
  askHook,
  harakaRequest,
  hookHead,
  hookSocket,
  mtaRequest,
  stalwartRequest,
} from '../testing/hook-requests.ts'
import { until } from '../testing/mail-setup.ts'
import { testHooks } from '../testing/test-hooks.ts'
import { hooksSecret } from '../testing/verdict-cases.ts'

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`
const later = 'The mail cannot be checked now, try again later'

describe('the secret', () => {
  it.each([
    ['a bearer token', `Bearer ${hooksSecret}`],
    ['a bearer token in lower case', `bearer ${hooksSecret}`],
    ['the password of a user', basic(`haraka:${hooksSecret}`)],
    ['the password of no user', basic(`:${hooksSecret}`)],
  ])('can be %s', async (_, authorization) => {
    await using hooks = await testHooks()
    const request = harakaRequest()
    const { status } = await askHook(hooks.url, {
      ...request,
      headers: { ...request.headers, authorization },
    })
    expect(status).toBe(200)
    expect(hooks.mails).toHaveLength(1)
  })

  it('can have colons and characters beyond ASCII', async () => {
    const secret = 'schlüssel:mit:doppelpunkten'
    await using hooks = await testHooks(undefined, { hooks: { secret } })
    const token = `Bearer ${Buffer.from(secret).toString('latin1')}`
    for (const authorization of [token, basic(`a:${secret}`)]) {
      const request = harakaRequest()
      const { status } = await askHook(hooks.url, {
        ...request,
        headers: { ...request.headers, authorization },
      })
      expect(status).toBe(200)
    }
  })

  it.each([
    ['none', undefined],
    ['another', 'Bearer another-secret-of-the-mail'],
    ['a part of it', `Bearer ${hooksSecret.slice(0, -1)}`],
    ['more than it', `Bearer ${hooksSecret}1`],
    ['the user instead of the password', basic(`${hooksSecret}:`)],
    ['no colon', basic(hooksSecret)],
    ['another scheme', `Digest ${hooksSecret}`],
  ])(
    'that is wrong (%s) is refused, and a client of rspamd lets its client come again',
    async (_, authorization) => {
      await using hooks = await testHooks()
      for (const request of [harakaRequest(), stalwartRequest(), mtaRequest(), { path: '/' }]) {
        const headers = { ...request.headers, authorization }
        const { status, json, headers: its } = await askHook(hooks.url, { ...request, headers })
        expect(status).toBe(401)
        expect(its['www-authenticate']).toBe('Bearer, Basic realm="mail"')
        expect(JSON.stringify(json)).not.toContain(hooksSecret)
        if (request.path === '/checkv2')
          expect(json).toMatchObject({ action: 'soft reject', messages: { smtp_message: later } })
      }
      expect(hooks.mails).toEqual([])
    },
  )

  it('is needed before a request takes the place of another, or memory', async () => {
    let decided = (_: 'open') => {}
    await using hooks = await testHooks(() => new Promise(resolve => (decided = resolve)), {
      settings: { maxConnections: 1 },
      memory: 2000,
    })
    const post = hookSocket(hooks.url)
    post.write(hookHead('/stalwart', 1500).replace(hooksSecret, 'wrong') + 'x'.repeat(1000))
    const get = hookSocket(hooks.url)
    get.write(
      `GET /.well-known/mta-hooks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1500\r\n\r\n${'x'.repeat(1400)}`,
    )
    const [refusal, discovery] = await Promise.all([once(post, 'data'), once(get, 'data')])
    expect(String(refusal)).toContain('HTTP/1.1 401 ')
    expect(String(discovery)).toContain('HTTP/1.1 200 ')
    // Both connections are still open.
    const answer = askHook(hooks.url, harakaRequest({ text: 'x'.repeat(1000) }))
    await until(() => hooks.mails.length === 1)
    expect((await askHook(hooks.url, { method: 'GET', path: '/.well-known/mta-hooks' })).status).toBe(200)
    decided('open')
    expect((await answer).json.action).toBe('no action')
    for (const socket of [post, get]) socket.destroy()
  })
})

it('a certificate makes the hooks an HTTPS listener', async () => {
  const tls = { cert: Buffer.from(certificate.cert), key: Buffer.from(certificate.key) }
  await using hooks = await testHooks(undefined, { hooks: { tls } })
  expect(hooks.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  expect(await askHook(hooks.url, stalwartRequest())).toMatchObject({
    status: 200,
    json: { action: 'accept' },
  })
})

it('the hooks say which port is in use', async () => {
  await using hooks = await testHooks()
  const port = Number(new URL(hooks.url).port)
  await expect(testHooks(undefined, { hooks: { port } })).rejects.toThrow(
    `The listener for hooks cannot start: port ${port} of 127.0.0.1 is in use by this program. Choose another with mail.hooks.port`,
  )
})

describe('a mail that is not decided on', () => {
  it('makes the client come again when the decision fails, with a notice for the operator', async () => {
    await using hooks = await testHooks(() => Promise.reject(new Error('No space')))
    expect((await askHook(hooks.url, stalwartRequest())).json).toEqual({
      action: 'reject',
      response: { status: 451, message: `4.3.0 ${later}` },
    })
    expect(hooks.notices).toEqual(['mail: a hook could not answer: No space'])
    expect(hooks.passed).toEqual([])
  })

  it('makes the client come again after eighteen seconds, before mail servers give up', async () => {
    await using hooks = await testHooks(() => new Promise(() => {}))
    const answers = [askHook(hooks.url, harakaRequest()), askHook(hooks.url, mtaRequest())]
    await until(() => hooks.mails.length === 2)
    await hooks.clock.advance(18_000)
    const [rspamd, mta] = await Promise.all(answers)
    expect(rspamd!.json).toMatchObject({ action: 'soft reject', messages: { smtp_message: later } })
    expect(mta!.json.set).toEqual([
      { path: '/action', value: 'reject' },
      { path: '/response', value: { code: 451, enhancedCode: '4.3.0', message: later } },
    ])
  })

  it('is refused when it is too large or has too many recipients', async () => {
    await using hooks = await testHooks(undefined, { settings: { maxSize: 1000, maxRecipients: 2 } })
    const large = { text: 'x'.repeat(2000) }
    const many = { to: ['a@office.example', 'b@office.example', 'c@office.example'] }
    expect((await askHook(hooks.url, stalwartRequest(large))).json.response).toEqual({
      status: 552,
      message: '5.3.4 Mail too large: at most 1000 bytes',
    })
    expect((await askHook(hooks.url, harakaRequest(large))).json).toMatchObject({
      action: 'reject',
      messages: { smtp_message: 'Mail too large: at most 1000 bytes' },
    })
    expect((await askHook(hooks.url, mtaRequest(many))).json.set[1].value).toEqual({
      ...{ code: 550, enhancedCode: '5.5.3', message: 'Too many recipients: at most 2' },
    })
    expect(hooks.mails).toEqual([])
    expect((await askHook(hooks.url, harakaRequest({ to: many.to.slice(1) }))).json.action).toBe('no action')
  })

  it('is refused for now when all mails in transfer need too much memory', async () => {
    let decided = (_: 'open') => {}
    await using hooks = await testHooks(() => new Promise(resolve => (decided = resolve)), {
      memory: 200_000,
    })
    const text = 'x'.repeat(80_000)
    const first = askHook(hooks.url, stalwartRequest({ text }))
    await until(() => hooks.mails.length === 1)
    // The text of the first mail is counted once while the function decides.
    expect((await askHook(hooks.url, stalwartRequest({ text: text + text }))).json.response.status).toBe(452)
    expect((await askHook(hooks.url, harakaRequest({ text: text + text }))).json.action).toBe('soft reject')
    decided('open')
    expect((await first).json.action).toBe('accept')
    const again = askHook(hooks.url, harakaRequest({ text: text + text }))
    await until(() => hooks.mails.length === 2)
    decided('open')
    expect((await again).json.action).toBe('no action')
  })

  it('needs its memory until the function has decided, even if the mail server has its answer', async () => {
    let decided = (_: 'open') => {}
    await using hooks = await testHooks(() => new Promise(resolve => (decided = resolve)), {
      memory: 200_000,
    })
    const text = 'x'.repeat(120_000)
    const first = askHook(hooks.url, harakaRequest({ text }))
    await until(() => hooks.mails.length === 1)
    await hooks.clock.advance(18_000)
    expect((await first).json.action).toBe('soft reject')
    const second = await askHook(hooks.url, stalwartRequest({ text }))
    expect(second.json.response).toMatchObject({ status: 452 })
    decided('open')
    const last = askHook(hooks.url, harakaRequest({ text }))
    await until(() => hooks.mails.length === 2)
    decided('open')
    expect((await last).json.action).toBe('no action')
  })

  it('is refused for now when there are as many requests as connections may be', async () => {
    let decided = (_: 'open') => {}
    await using hooks = await testHooks(() => new Promise(resolve => (decided = resolve)), {
      settings: { maxConnections: 1 },
    })
    const first = askHook(hooks.url, harakaRequest())
    await until(() => hooks.mails.length === 1)
    expect((await askHook(hooks.url, stalwartRequest())).json.response.status).toBe(452)
    decided('open')
    expect((await first).json.action).toBe('no action')
  })

  it('whose mail server goes away while the function decides does no harm', async () => {
    let decided = (_: 'open') => {}
    await using hooks = await testHooks(() => new Promise(resolve => (decided = resolve)))
    const socket = hookSocket(hooks.url)
    const { body } = stalwartRequest()
    socket.write(`${hookHead('/stalwart', Buffer.byteLength(body!))}${body}`)
    await until(() => hooks.mails.length === 1)
    socket.resetAndDestroy()
    decided('open')
    const next = askHook(hooks.url, harakaRequest())
    await until(() => hooks.mails.length === 2)
    decided('open')
    expect((await next).status).toBe(200)
    expect(hooks.notices).toEqual([])
  })
})

describe('a listener that stops', () => {
  it('answers the mails on which functions decide', async () => {
    let decided = (_: 'open') => {}
    await using hooks = await testHooks(() => new Promise(resolve => (decided = resolve)))
    const answer = askHook(hooks.url, harakaRequest())
    await until(() => hooks.mails.length === 1)
    const stopped = hooks.stop(60_000)
    decided('open')
    expect((await answer).json.action).toBe('no action')
    await stopped
  })

  it('gives up after the grace period', async () => {
    await using hooks = await testHooks(() => new Promise(() => {}))
    const answer = askHook(hooks.url, harakaRequest()).then(() => 'answered', String)
    await until(() => hooks.mails.length === 1)
    const stopped = hooks.stop(1000)
    await hooks.clock.advance(1000)
    expect(await answer).toBe('Error: socket hang up')
    await stopped
  })
})
