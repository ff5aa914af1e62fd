import { describe, expect, it } from '@jest/globals'
import { secretFields } from '@signalbox/codec'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { queueEvent } from '@signalbox/queue/testing'
import { userMigrationEvent, verifyAuthChallengeEvent } from '@signalbox/user-pool/testing'
import fc from 'fast-check'
import { maskJson, maskRepeats } from './mask.ts'

const secret = 'hunter2-hunter2'

describe('maskJson', () => {
  it.each<[string, unknown]>([
    ['the password of a migration', userMigrationEvent({ password: secret })],
    [
      'an answer, and the right one',
      verifyAuthChallengeEvent({ challengeAnswer: secret, privateChallengeParameters: { answer: secret } }),
    ],
    ['cookies', httpEvent('GET', '/', { headers: { cookie: `session=${secret}; theme=dark` } })],
    [
      'every cookie',
      httpEvent('GET', '/', { multiValue: true, headers: { cookie: ['a=1', `session=${secret}`] } }),
    ],
    ['authorization', httpEvent('GET', '/', { headers: { Authorization: `Bearer ${secret}` } })],
    ['a parameter', httpEvent('GET', `/?code=${secret}`)],
    [
      'a form, which is Base64',
      httpEvent('POST', '/', { body: new URLSearchParams({ user: 'ada', password: secret }) }),
    ],
    ['a form as text', httpEvent('POST', '/', { body: `user=ada&password=${secret}` })],
    ['JSON in a body', httpEvent('POST', '/', { body: { user: 'ada', login: [{ Password: secret }] } })],
    ['JSON in a message', queueEvent({ bodies: [{ code: secret }] })],
    [
      'a form of several parts',
      httpEvent('POST', '/', {
        body: `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${secret}\r\n--b--`,
      }),
    ],
    ['what a function set', { statusCode: 200, multiValueHeaders: { 'Set-Cookie': [`session=${secret}`] } }],
    ['numbers below a secret name', { privateChallengeParameters: { deep: [{ pin: 77_777_777 }] } }],
  ])('masks %s', (_case, value) => {
    const { text, secrets } = maskJson(JSON.stringify(value))
    const opened = text + Buffer.from((JSON.parse(text) as { body?: string }).body ?? '', 'base64').toString()
    expect(opened).not.toMatch(/hunter2-hunter2|77777777/)
    expect(opened).toContain('***')
    expect(secrets.join()).toMatch(/hunter2-hunter2|77777777/)
    expect(JSON.parse(text)).toEqual(expect.objectContaining({}))
  })

  it('leaves what is no secret exactly as it is', () => {
    for (const value of [
      httpEvent('POST', '/?passwords=1', { body: 'encode=1&postcode=2' }),
      httpEvent('POST', '/', { body: Buffer.from([1, 2, 255]) }),
      queueEvent({ bodies: [{ codes: 1 }, 'password'] }),
      { statusCode: 200, body: '{oops', isBase64Encoded: false },
      { password: null, code: '' },
    ]) {
      const json = JSON.stringify(value, null, 1)
      expect(maskJson(json)).toEqual({ text: json, secrets: [] })
    }
  })

  it('keeps what stands beside a secret', () => {
    const { text } = maskJson(JSON.stringify({ a: 1, password: 'x', b: { body: '{"code":1,"c":[2]}' } }))
    expect(JSON.parse(text)).toEqual({ a: 1, password: '***', b: { body: '{"code":"***","c":[2]}' } })
  })

  it('shows nothing of what looks like a secret and cannot be read', () => {
    expect(maskJson('{"password": "x"').text).toBe('"***"')
  })

  it('masks any secret field, anywhere in any JSON', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom(...secretFields),
        fc.array(fc.string()),
        (value, field, path) => {
          let event: unknown = { [field]: secret, value }
          for (const key of path) event = { [key]: event }
          expect(maskJson(JSON.stringify(event)).text).not.toContain(secret)
        },
      ),
    )
  })

  it('does not touch the prototype of anything', () => {
    const { text } = maskJson('{"__proto__":{"polluted":1},"password":"x"}')
    expect(text).toBe('{"__proto__":{"polluted":1},"password":"***"}')
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

it('maskRepeats masks a secret wherever it is repeated, and the parts of one', () => {
  const { secrets } = maskJson(JSON.stringify({ headers: { authorization: `Bearer ${secret}` } }))
  expect(maskRepeats(`token ${secret}, Bearer ${secret}.`, secrets)).toBe('token ***, ***.')
})
