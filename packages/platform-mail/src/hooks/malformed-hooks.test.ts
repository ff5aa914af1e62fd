import { once } from 'node:events'
import { describe, expect, it } from '@jest/globals'
import {
  askHook,
  harakaRequest,
  hookHead,
  hookSocket,
  mtaRequest,
  stalwartRequest,
  type TestRequest,
} from '../testing/hook-requests.ts'
import { until } from '../testing/mail-setup.ts'
import { testHooks } from '../testing/test-hooks.ts'

const json = { 'content-type': 'application/json' }

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
    const socket = hookSocket(hooks.url)
    let answer = ''
    socket.on('data', chunk => (answer += chunk))
    socket.write(hookHead('/checkv2', 100_000_000, 'Rcpt: bob@office.example\r\n'))
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
      `${hookHead('/stalwart', Buffer.byteLength(body!), 'Connection: close\r\n')}${body}`,
    )
    const socket = hookSocket(hooks.url)
    for (const byte of whole) {
      if (!socket.write(Buffer.from([byte]))) await once(socket, 'drain')
      await new Promise<void>(resolve => setImmediate(resolve))
    }
    await until(() => hooks.mails.length === 1)
    socket.destroy()
    for (let at = 0; at < whole.length - 1; at += 97) {
      const one = hookSocket(hooks.url)
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
    expect((await askHook(hooks.url, stalwartRequest({ text: 'x'.repeat(150_000) }))).json.action).toBe(
      'accept',
    )
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
