import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import {
  askHook,
  harakaRequest,
  mtaHookRequest,
  mtaRegistration,
  openSmtpdRequest,
  registerMtaHook,
  stalwartRequest,
  type TestRequest,
} from '../testing/hook-requests.ts'
import { until } from '../testing/mail-setup.ts'
import { testHooks } from '../testing/test-hooks.ts'
import { hooksSecret } from '../testing/verdict-cases.ts'

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`
const json = { 'content-type': 'application/json' }
const mtaRequest = (mail = {}) => mtaHookRequest('/mta-hooks/01/hooks/some-id', mail)
const later = 'The mail cannot be checked now, try again later'

/** Opens a connection on which a test writes what it likes. */
function rawSocket(url: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  return socket
}

const head = (path: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${hooksSecret}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`

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

describe('what the mail server knows about its client', () => {
  const known = { address: '192.0.2.7', name: 'mx.far.example', helo: 'client.example' }

  it.each<[string, (mail: object) => TestRequest, object, object]>([
    [
      'Stalwart',
      stalwartRequest,
      { tls: 'TLSv1_3', user: 'carol' },
      { ...known, tls: 'TLSv1.3', user: 'carol' },
    ],
    [
      'the milter bridge',
      mtaRequest,
      { tls: 'TLSv1.2', user: 'carol' },
      { ...known, tls: 'TLSv1.2', user: 'carol' },
    ],
    ['Haraka', harakaRequest, { tls: 'TLSv1.3', user: 'carol' }, { ...known, tls: 'TLSv1.3', user: 'carol' }],
    ['OpenSMTPD', openSmtpdRequest, {}, { address: '192.0.2.7', helo: 'client.example' }],
    [
      'a server of an unknown client',
      harakaRequest,
      { address: 'unknown' },
      { name: known.name, helo: known.helo },
    ],
  ])('is in the facts of the mail: %s', async (_, request, mail, client) => {
    await using hooks = await testHooks()
    await askHook(hooks.url, request(mail))
    expect(hooks.mails.map(({ facts }) => facts)).toEqual([{ client }])
  })

  it('may be nothing', async () => {
    await using hooks = await testHooks()
    await askHook(hooks.url, { path: '/checkv2', headers: { Rcpt: 'bob@office.example' }, body: '\r\n' })
    expect(hooks.mails).toMatchObject([{ from: '', facts: undefined, recipients: ['bob@office.example'] }])
  })
})

describe('the mail', () => {
  it.each([
    ['Stalwart', stalwartRequest],
    ['the milter bridge', mtaRequest],
    ['Haraka', harakaRequest],
    ['OpenSMTPD', openSmtpdRequest],
  ])('of %s is rebuilt as it was on its way to the mail server', async (_, request) => {
    await using hooks = await testHooks()
    const to = ['Bob@Office.example', '"a b"@office.example', 'Bob@OFFICE.example']
    const headers = [
      ['X-Tab', '\tv\r\n folded'],
      ['X-Empty', ''],
    ] as const
    await askHook(hooks.url, request({ to, headers, text: 'Grüße "\\"\r\n.' }))
    const [mail] = hooks.mails
    expect(mail).toMatchObject({
      ...{ id: 'mail-1', from: 'ann@far.example', utf8: false, everyRule: true },
      recipients: ['Bob@Office.example', '"a b"@office.example'],
    })
    expect(String(mail!.raw)).toBe(
      'From: Ann <ann@far.example>\r\nSubject: Hello\r\nMessage-ID: <1@far.example>\r\n' +
        'X-Tab:\tv\r\n folded\r\nX-Empty:\r\n\r\nGrüße "\\"\r\n.\r\n',
    )
  })

  it('of the documents of Stalwart has headers without spaces and other names of fields', async () => {
    await using hooks = await testHooks()
    const { json: answer } = await askHook(hooks.url, {
      path: '/stalwart',
      headers: json,
      body: JSON.stringify({
        context: { stage: 'DATA', client: { ip: '192.0.2.7', ehlo: 'mx.example' }, tls: { version: '1.3' } },
        envelope: {
          from: { address: '<ann@far.example>', parameters: { smtputf8: null } },
          to: [{ address: '<bob@office.example>', parameters: null }],
        },
        message: { headers: [['Subject', 'Hello']], serverHeaders: [['Received', 'x']], contents: 'Hi!\r\n' },
      }),
    })
    expect(answer).toEqual({ action: 'accept', modifications: [] })
    expect(hooks.mails).toMatchObject([
      {
        from: 'ann@far.example',
        recipients: ['bob@office.example'],
        utf8: true,
        facts: { client: { tls: 'TLSv1.3', helo: 'mx.example' } },
      },
    ])
    expect(String(hooks.mails[0]!.raw)).toBe('Subject: Hello\r\n\r\nHi!\r\n')
  })

  it('is not there at the earlier stages of Stalwart, which get on', async () => {
    await using hooks = await testHooks(() => ({ type: 'DROP' }))
    for (const stage of ['connect', 'ehlo', 'auth', 'mail', 'RCPT'])
      expect((await askHook(hooks.url, stalwartRequest({}, stage))).json).toEqual({
        action: 'accept',
        modifications: [],
      })
    expect(hooks.mails).toEqual([])
  })

  it('of the null sender has no sender, and one in other scripts says so', async () => {
    await using hooks = await testHooks()
    for (const request of [stalwartRequest, mtaRequest, harakaRequest, openSmtpdRequest])
      await askHook(hooks.url, request({ from: '', to: ['dörte@office.example'] }))
    for (const mail of hooks.mails)
      expect(mail).toMatchObject({ from: '', utf8: true, recipients: ['dörte@office.example'] })
    expect(hooks.mails).toHaveLength(4)
  })
})

describe('the direction', () => {
  const directions = async (mail: object) => {
    await using hooks = await testHooks(undefined, {
      hooks: { outboundClients: ['10.0.0.0/8', '2001:db8::/32'] },
    })
    await askHook(hooks.url, harakaRequest({ to: ['bob@office.example', 'rita@far.example'], ...mail }))
    const [asked] = hooks.mails
    return asked!.recipients.map(asked!.directionOf!)
  }

  it('is that of the domains of the configuration', async () => {
    expect(await directions({})).toEqual(['INBOUND', 'OUTBOUND'])
  })

  it.each([
    ['has authenticated', { user: 'carol' }],
    ['is in a listed network', { address: '10.1.2.3' }],
    ['is in a listed network of IPv6', { address: '2001:db8::1' }],
  ])('is outbound when the client %s', async (_, mail) => {
    expect(await directions(mail)).toEqual(['OUTBOUND', 'OUTBOUND'])
  })
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
    const socket = rawSocket(hooks.url)
    const { body } = stalwartRequest()
    socket.write(`${head('/stalwart', Buffer.byteLength(body!))}${body}`)
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

describe('a hostile client with the secret', () => {
  const changed = (
    request: TestRequest,
    change: (body: ReturnType<typeof JSON.parse>) => void,
  ): TestRequest => {
    const body = JSON.parse(String(request.body))
    change(body)
    return { ...request, body: JSON.stringify(body) }
  }
  const withBody = (body: string): TestRequest => ({ path: '/stalwart', headers: json, body })
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

  it.each<[string, TestRequest, number, string]>([
    ['no path', { path: '/' }, 404, 'There is nothing at this path.'],
    ['another method', { method: 'PUT', path: '/stalwart' }, 405, 'Another method.'],
    ['no media type', { path: '/stalwart', body: '{}' }, 415, 'The body is not application/json.'],
    [
      'CBOR',
      { ...mtaRequest(), headers: { 'content-type': 'application/cbor' } },
      415,
      'The body is not application/json.',
    ],
    [
      'gzip',
      { ...harakaRequest(), headers: { 'content-encoding': 'gzip' } },
      415,
      'The body is compressed. Send it as it is.',
    ],
    [
      'zstd',
      { ...harakaRequest(), headers: { Compression: 'zstd' } },
      400,
      'The body is compressed. Send it as it is.',
    ],
    ['no JSON', withBody('{"context":'), 400, 'The body is not JSON.'],
    ['an open string', withBody('{"context'), 400, 'The body is not JSON.'],
    [
      'no UTF-8',
      { ...withBody(''), body: Buffer.from('{"a":"\xff"}', 'latin1') },
      400,
      'The body is not JSON.',
    ],
    ['no object', withBody('[1]'), 400, 'The body is not a JSON object.'],
    ['an empty body', withBody(''), 400, 'The body is not JSON.'],
    ['101 levels', withBody(`{"a":${deep(100)}}`), 400, 'The body is nested more than 100 levels deep.'],
    [
      'a million levels',
      withBody(`{"a":${deep(1_000_000)}}`),
      400,
      'The body is nested more than 100 levels deep.',
    ],
    [
      'a million lists',
      withBody(`{"a":[${'[],'.repeat(1_000_000)}1]}`),
      400,
      'The body has more than 200000 values.',
    ],
    [
      'a million keys',
      withBody(`{${Array.from({ length: 300_000 }, (_, at) => `"${at}":1`).join()}}`),
      400,
      'The body has more than 200000 values.',
    ],
    ['no stage', withBody('{"context":{}}'), 400, '/context/stage is not a text.'],
    [
      'no envelope',
      changed(stalwartRequest(), body => delete body.envelope),
      400,
      '/envelope is not an object.',
    ],
    [
      'a number as the sender',
      changed(stalwartRequest(), body => (body.envelope.from.address = 1)),
      400,
      '/envelope/from/address is not a text.',
    ],
    [
      'a sender with a line end',
      changed(stalwartRequest(), body => (body.envelope.from.address = 'a\r\n@b')),
      400,
      '/envelope/from/address is not an address.',
    ],
    [
      'a very long sender',
      changed(stalwartRequest(), body => (body.envelope.from.address = 'a'.repeat(3000))),
      400,
      '/envelope/from/address is not an address.',
    ],
    [
      'no recipients',
      changed(stalwartRequest(), body => (body.envelope.to = [])),
      400,
      '/envelope/to is empty.',
    ],
    [
      'recipients that are no list',
      changed(stalwartRequest(), body => (body.envelope.to = {})),
      400,
      '/envelope/to is not a list.',
    ],
    [
      'a recipient that is no object',
      changed(stalwartRequest(), body => (body.envelope.to = ['a@b'])),
      400,
      '/envelope/to/0 is not an object.',
    ],
    [
      'an empty recipient',
      changed(stalwartRequest(), body => (body.envelope.to[0].address = '<>')),
      400,
      '/envelope/to/0/address is empty.',
    ],
    [
      'no contents',
      changed(stalwartRequest(), body => delete body.message.contents),
      400,
      '/message/contents is not a text.',
    ],
    [
      'no headers',
      changed(stalwartRequest(), body => delete body.message.headers),
      400,
      '/message/headers is not a list.',
    ],
    [
      'a header without a value',
      changed(stalwartRequest(), body => (body.message.headers[0] = ['A'])),
      400,
      '/message/headers/0 is not a name and a value.',
    ],
    [
      'a header that is no list',
      changed(stalwartRequest(), body => (body.message.headers[0] = 'A: b')),
      400,
      '/message/headers/0 is not a name and a value.',
    ],
    ['no recipient of rspamd', { path: '/checkv2', body: '\r\n' }, 400, 'The header Rcpt is missing.'],
    ['an empty recipient of rspamd', { path: '/checkv2', headers: { Rcpt: '' } }, 400, 'Rcpt is empty.'],
    [
      'another registration',
      { ...mtaRequest(), headers: { ...json, 'x-mta-hooks-registration': 'other' } },
      400,
      'X-MTA-Hooks-Registration is not the registration of the path.',
    ],
    ['another stage', changed(mtaRequest(), body => (body.stage = 'rcpt')), 400, '/stage is not data.'],
    [
      'no raw message',
      changed(mtaRequest(), body => delete body.rawMessage),
      400,
      '/rawMessage is not base64.',
    ],
    [
      'no base64',
      changed(mtaRequest(), body => (body.rawMessage = 'a!!=')),
      400,
      '/rawMessage is not base64.',
    ],
    [
      'base64 of a wrong length',
      changed(mtaRequest(), body => (body.rawMessage = 'abcde')),
      400,
      '/rawMessage is not base64.',
    ],
  ])('that sends %s is told so, and harms nobody', async (_, request, status, message) => {
    await using hooks = await testHooks()
    const answer = await askHook(hooks.url, request)
    expect(answer.status).toBe(status)
    const { error } = answer.json
    expect(typeof error === 'string' ? error : error.message).toBe(message)
    // Clients of rspamd read the action only, and would let the mail pass without one.
    if (request.path === '/checkv2') expect(answer.json.action).toBe('soft reject')
    expect((await askHook(hooks.url, harakaRequest())).status).toBe(200)
    expect(hooks.mails).toHaveLength(1)
    expect(hooks.notices).toEqual([])
  })

  it('that sends a hundred megabytes is cut off', async () => {
    await using hooks = await testHooks(undefined, { settings: { maxSize: 1000 } })
    const socket = rawSocket(hooks.url)
    let answer = ''
    socket.on('data', chunk => (answer += chunk))
    socket.write(head('/checkv2', 100_000_000, 'Rcpt: bob@office.example\r\n'))
    const piece = Buffer.alloc(1_000_000)
    let written = 0
    const closed = once(socket, 'close')
    for (; written < 100 && !socket.destroyed; written++)
      if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), closed])
    await closed
    expect(written).toBeLessThan(100)
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"action":"reject"[\s\S]*Mail too large/)
    expect((await askHook(hooks.url, { ...harakaRequest(), body: 'A: b\r\n\r\n' })).json.action).toBe(
      'no action',
    )
  })

  it('that sends one byte at a time, or stops behind any byte, is served or forgotten', async () => {
    await using hooks = await testHooks()
    const { body } = stalwartRequest()
    const whole = Buffer.from(
      `${head('/stalwart', Buffer.byteLength(body!), 'Connection: close\r\n')}${body}`,
    )
    const socket = rawSocket(hooks.url)
    for (const byte of whole) {
      if (!socket.write(Buffer.from([byte]))) await once(socket, 'drain')
      await new Promise<void>(resolve => setImmediate(resolve))
    }
    await until(() => hooks.mails.length === 1)
    socket.destroy()
    for (let at = 0; at < whole.length - 1; at += 97) {
      const one = rawSocket(hooks.url)
      one.resume()
      one.end(whole.subarray(0, at))
      await once(one, 'close')
    }
    expect((await askHook(hooks.url, harakaRequest())).status).toBe(200)
    expect(hooks.mails).toHaveLength(2)
  })

  it('that sends malformed bodies again and again uses up no memory', async () => {
    await using hooks = await testHooks(undefined, { memory: 200_000 })
    for (let time = 0; time < 3; time++)
      expect((await askHook(hooks.url, withBody('x'.repeat(150_000)))).status).toBe(400)
    expect((await askHook(hooks.url, stalwartRequest({ text: 'x'.repeat(150_000) }))).json.action).toBe('accept')
  })

  it('is not taken for one that sends a text with quotes, brackets and backslashes', async () => {
    await using hooks = await testHooks()
    const text = `${'"['.repeat(300)}${'\\"{,'.repeat(200)}\\`
    expect((await askHook(hooks.url, stalwartRequest({ text }))).json).toEqual({
      ...{ action: 'accept', modifications: [] },
    })
    expect(String(hooks.mails[0]!.raw)).toContain(text)
  })

  it('that names a prototype as a property gets no further than others', async () => {
    await using hooks = await testHooks()
    const body = String(stalwartRequest().body).replace(
      '"context":{',
      '"__proto__":{"polluted":1},"context":{',
    )
    expect((await askHook(hooks.url, withBody(body))).status).toBe(200)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

describe('the registration of an MTA', () => {
  it('is found without the secret, and names the paths of the draft', async () => {
    await using hooks = await testHooks()
    const discovery = { method: 'GET', path: '/.well-known/mta-hooks', headers: { authorization: '' } }
    expect(await askHook(hooks.url, discovery)).toMatchObject({
      status: 200,
      json: {
        ...{ version: '1.0', serialization: ['json'] },
        endpoints: { registration: '/mta-hooks/01/register' },
        capabilities: { inbound: { stages: ['data'], actions: ['accept', 'reject', 'discard'] } },
        limits: { maxMessageSize: 1024 * 1024, timeoutMs: 18_000 },
      },
    })
  })

  it('has what the MTA offers of the properties that hooks read, and ends', async () => {
    await using hooks = await testHooks()
    const body = {
      ...mtaRegistration,
      inbound: {
        stages: ['data'],
        properties: ['/queue', '/envelope', '/message', '/stage', '/action', '/rawMessage'],
      },
    }
    const {
      status,
      json: its,
      headers,
    } = await askHook(hooks.url, {
      path: '/mta-hooks/01/register',
      headers: json,
      body: JSON.stringify(body),
    })
    const id = its.registrationId
    expect(status).toBe(201)
    expect(headers.location).toBe(`/mta-hooks/01/register/${id}`)
    expect(its).toEqual({
      registrationId: expect.stringMatching(/^[\w-]{20,255}$/),
      ...{ status: 'active', expiresAt: null, createdAt: '2023-11-14T22:13:20.000Z' },
      hookEndpoint: `/mta-hooks/01/hooks/${id}`,
      endpoints: {
        status: `/mta-hooks/01/register/${id}/status`,
        deregistration: `/mta-hooks/01/register/${id}`,
      },
      negotiated: {
        serialization: 'json',
        inbound: {
          stages: ['data'],
          properties: ['/stage', '/action', '/rawMessage', '/envelope', '/queue'],
        },
      },
    })
    const { negotiated, ...rest } = its
    expect(await askHook(hooks.url, { method: 'GET', path: its.endpoints.status })).toMatchObject({
      status: 200,
      json: rest,
    })
    expect(await askHook(hooks.url, { method: 'DELETE', path: its.endpoints.deregistration })).toMatchObject({
      status: 200,
      json: { registrationId: id, status: 'deregistered', deregisteredAt: '2023-11-14T22:13:20.000Z' },
    })
    expect((await askHook(hooks.url, mtaHookRequest(its.hookEndpoint))).status).toBe(204)
  })

  it('can be without a list of properties, and is valid at each platform', async () => {
    await using first = await testHooks()
    await using second = await testHooks()
    const endpoint = await registerMtaHook(first.url)
    expect((await askHook(second.url, mtaHookRequest(endpoint))).status).toBe(204)
    const body = JSON.stringify({ ...mtaRegistration, inbound: { stages: ['data'] } })
    const { json: its } = await askHook(first.url, { path: '/mta-hooks/01/register', headers: json, body })
    expect(its.negotiated.inbound.properties).toHaveLength(11)
    const status = { method: 'GET', path: '/mta-hooks/01/register/_/status' }
    expect((await askHook(first.url, status)).json.createdAt).toBeUndefined()
  })

  it.each([
    ['CBOR', { serialization: 'cbor' }, '/serialization is not json, which is the only one here.'],
    [
      'another stage',
      { inbound: { stages: ['rcpt'] } },
      '/inbound/stages is not ["data"], which is the only stage here.',
    ],
    [
      'no inbound stages',
      { inbound: null },
      '/inbound/stages is not ["data"], which is the only stage here.',
    ],
    [
      'no raw mail',
      { inbound: { stages: ['data'], properties: ['/stage', '/action'] } },
      '/inbound/properties lacks /rawMessage.',
    ],
  ])('is refused for %s', async (_, change, message) => {
    await using hooks = await testHooks()
    const body = JSON.stringify({ ...mtaRegistration, ...change })
    expect(await askHook(hooks.url, { path: '/mta-hooks/01/register', headers: json, body })).toMatchObject({
      status: 400,
      json: { error: { code: 'INVALID_REQUEST', message } },
    })
  })
})
