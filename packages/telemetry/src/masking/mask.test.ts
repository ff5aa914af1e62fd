import { describe, expect, it } from '@jest/globals'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { queueEvent } from '@signalbox/queue/testing'
import { userMigrationEvent, verifyAuthChallengeEvent } from '@signalbox/user-pool/testing'
import fc from 'fast-check'
import { maskJson, maskText } from './mask.ts'

const secret = 'hunter2-hunter2'

describe('maskJson()', () => {
  it.each<[string, unknown]>([
    ['the password in a user migration event', userMigrationEvent({ password: secret })],
    [
      'the answer to a challenge, and the correct answer',
      verifyAuthChallengeEvent({ challengeAnswer: secret, privateChallengeParameters: { answer: secret } }),
    ],
    [
      'each cookie of a Cookie header',
      httpEvent('GET', '/', { headers: { cookie: `session=${secret}; theme=dark` } }),
    ],
    [
      'the cookies of several Cookie headers',
      httpEvent('GET', '/', { multiValue: true, headers: { cookie: ['a=1', `session=${secret}`] } }),
    ],
    ['the Authorization header', httpEvent('GET', '/', { headers: { Authorization: `Bearer ${secret}` } })],
    ['a query parameter', httpEvent('GET', `/?code=${secret}`)],
    [
      'a field of a form in Base64',
      httpEvent('POST', '/', { body: new URLSearchParams({ user: 'ada', password: secret }) }),
    ],
    ['a field of a form in plain text', httpEvent('POST', '/', { body: `user=ada&password=${secret}` })],
    [
      'a field of JSON in a body',
      httpEvent('POST', '/', { body: { user: 'ada', login: [{ Password: secret }] } }),
    ],
    ['a field of JSON in a message', queueEvent({ bodies: [{ code: secret }] })],
    [
      'a field of a multipart form',
      httpEvent('POST', '/', {
        body: `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${secret}\r\n--b--`,
      }),
    ],
    [
      'a cookie that a function sets',
      { statusCode: 200, multiValueHeaders: { 'Set-Cookie': [`session=${secret}`] } },
    ],
    [
      'a number in an object with a secret name',
      { privateChallengeParameters: { deep: [{ pin: 77_777_777 }] } },
    ],
    [
      'the value of a name that is percent-encoded',
      httpEvent('POST', '/', { body: `user=ada&p%61ss%77ord=${secret}` }),
    ],
    ['a query parameter that is percent-encoded', httpEvent('GET', `/?%74oken=${secret}`)],
    [
      'the value of a name that is percent-encoded twice',
      httpEvent('POST', '/', { body: `%2574oken=${secret}` }),
    ],
    [
      'the value of a name that is escaped in JSON',
      httpEvent('POST', '/', { body: `{"p\\u0061ssword":"${secret}"}` }),
    ],
    [
      'the value of a name that is escaped in truncated JSON',
      httpEvent('POST', '/', { body: `{"p\\u0061ssword":"${secret}` }),
    ],
    [
      'a form part whose name has no quotes',
      httpEvent('POST', '/', {
        body: `--b\r\nContent-Disposition: form-data; name=passwd\r\n\r\n${secret}\r\n--b--`,
      }),
    ],
    [
      'a form part of several lines',
      httpEvent('POST', '/', {
        body: `--b\r\nContent-Disposition: form-data; name="secret"\r\n\r\na\r\n\r\n${secret}\r\n--b--`,
      }),
    ],
    [
      'a form part in Base64 whose name is in extended notation',
      httpEvent('POST', '/', {
        body: Buffer.from(
          `--b\nContent-Type: text/plain\nContent-Disposition: form-data; name*=utf-8'en'p%61sswd\n\n\u00ff${secret}\n--b--`,
        ),
      }),
    ],
    [
      'a field of JSON in a form part',
      httpEvent('POST', '/', {
        body: `--b\r\nContent-Disposition: form-data; name="all"\r\n\r\n{"token":"${secret}"}\r\n--b--`,
      }),
    ],
    [
      'a field of JSON in JSON',
      httpEvent('POST', '/', { body: { Message: JSON.stringify({ api_key: secret }) } }),
    ],
    [
      'a field of JSON inside a JSON string in a message',
      queueEvent({ bodies: [{ m: JSON.stringify({ n: JSON.stringify({ token: secret }) }) }] }),
    ],
    [
      'a field of truncated JSON in JSON',
      queueEvent({ bodies: [JSON.stringify({ m: JSON.stringify({ token: secret }) }).slice(0, -4)] }),
    ],
    ['a field of JSON lines', httpEvent('POST', '/', { body: `{"a":1}\n{"secret":"${secret}"}\n{"b":2}` })],
    [
      'a field of JSON with a byte order mark',
      httpEvent('POST', '/', { body: `\ufeff{"secret":"${secret}"}` }),
    ],
    [
      'a field of JSON in bytes with a byte order mark',
      httpEvent('POST', '/', { body: Buffer.from(`\ufeff{"secret":"${secret}\u00ff"}`) }),
    ],
    ['a field of truncated JSON', httpEvent('POST', '/', { body: `{"secret":"${secret}` })],
    ['a nested field of truncated JSON', queueEvent({ bodies: [`{"secret":{"a":"${secret}"`] })],
    [
      'both values of a name that occurs twice',
      queueEvent({ bodies: [`{"secret":"${secret}","token":"${secret}","secret":null}`] }),
    ],
    ['a secret that occurs in two fields', { password: secret, body: JSON.stringify({ password: secret }) }],
    ['a secret that the path repeats', { password: secret, path: `/reset/${secret}` }],
    [
      'a query parameter of a referer',
      httpEvent('GET', '/', { headers: { referer: `https://shop.example/back?state=1&code=${secret}` } }),
    ],
    [
      'a parameter in the fragment of a URL',
      { headers: { location: `https://a.example/#access_token=${secret}&x=1` } },
    ],
    [
      'a query parameter of a URL in a query',
      httpEvent('GET', `/?next=${encodeURIComponent(`https://a.example/?id_token=${secret}&x=1`)}`),
    ],
    [
      'a query parameter of a URL in a path',
      httpEvent('GET', `/go/${encodeURIComponent(`https://a.example/?token=${secret}`)}`),
    ],
    [
      'a field of JSON in a form',
      httpEvent('POST', '/', { body: new URLSearchParams({ data: `{"token":"${secret}"}` }) }),
    ],
    [
      'a field whose name is in brackets',
      httpEvent('POST', '/', { body: `user%5Bpassword%5D=${secret}&user[passwd]=${secret}` }),
    ],
    [
      'fields with the secret names of other systems',
      Object.fromEntries(
        [
          'access_token',
          'idToken',
          'refresh-token',
          'client_secret',
          'X-API-Key',
          'apiKey',
          'token',
          'passwd',
        ].map(name => [name, secret]),
      ),
    ],
  ])('masks %s', (_case, value) => {
    const { text, secrets } = maskJson(JSON.stringify(value))
    const opened = text + Buffer.from((JSON.parse(text) as { body?: string }).body ?? '', 'base64').toString()
    expect(opened).not.toMatch(/hunter2-hunter2|77777777/)
    expect(opened).toContain('***')
    expect([...secrets].join()).toMatch(/hunter2-hunter2|77777777/)
    expect(JSON.parse(text)).toEqual(expect.objectContaining({}))
  })

  it('does not change strings without secrets', () => {
    for (const value of [
      httpEvent('POST', '/?passages=1', { body: 'encode=1&postcode=2' }),
      httpEvent('POST', '/', { body: Buffer.from([1, 2, 255]) }),
      queueEvent({ bodies: [{ codes: 1 }, 'password'] }),
      { statusCode: 200, body: '{oops', isBase64Encoded: false },
      { password: null, code: '' },
      {
        body: '{"password":null,"code":"","token":[],"secret":{"a":null}}',
        codeParameter: '{####}',
        statusCode: 200,
      },
      httpEvent('GET', '/decode/a%20b?secretary=1', { headers: { referer: 'https://a.example/?q=token' } }),
      queueEvent({ bodies: ['Your code: see the app', 'the secret, the token = none'] }),
      { session: [{ challengeName: 'SRP_A', challengeResult: true }] },
    ]) {
      const json = JSON.stringify(value, null, 1)
      expect(maskJson(json)).toEqual({ text: json, secrets: new Set(), tooMany: false })
    }
  })

  it('keeps the text next to a secret', () => {
    const { text } = maskJson(JSON.stringify({ a: 1, password: 'x', b: { body: '{"code":1,"c":[2]}' } }))
    expect(JSON.parse(text)).toEqual({ a: 1, password: '***', b: { body: '{"code":"***","c":[2]}' } })
  })

  it('masks both secrets when a key occurs twice', () => {
    const body = `{"secret":"${secret}","secret":null}`
    for (const json of [body, JSON.stringify({ body })]) expect(maskJson(json).text).not.toContain(secret)
  })

  it('masks a secret in incomplete JSON up to the end of the string', () => {
    expect(maskJson('{"password": "x').text).toBe('{"password": "***')
    expect(maskJson('no JSON, password=x').text).toBe('"***"')
  })

  it('masks a secret field at any depth of any JSON value', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom('password', 'newPassword', 'otp', 'X-Api-Key', 'set-cookie', 'answer'),
        fc.array(fc.string()),
        (value, field, path) => {
          let event: unknown = { [field]: secret, value }
          for (const key of path) event = { [key]: event }
          expect(maskJson(JSON.stringify(event)).text).not.toContain(secret)
        },
      ),
    )
  })

  it('keeps the text next to a secret in forms, URLs, lines of JSON and multipart bodies', () => {
    const masked = (body: string) =>
      (JSON.parse(maskJson(JSON.stringify({ body })).text) as { body: string }).body
    expect(masked('a=1&token=x&b=%20')).toBe('a=1&token=***&b=%20')
    expect(masked('{"a":1}\n{"token":"x"}\n{"b":')).toBe('{"a":1}\n{"token":"***"}\n{"b":')
    expect(masked('{"token":"x\\"y","b":7,"c":{"pwd":12')).toBe('{"token":"***","b":7,"c":{"pwd":"***"')
    expect(masked('see https://a.example/?a=1&code=x#top or not')).toBe(
      'see https://a.example/?a=1&code=***#top or not',
    )
    expect(masked(`next=${encodeURIComponent('/?a=b c&token=x')}&z=1`)).toBe(
      `next=${encodeURIComponent('/?a=b c&token=***')}&z=1`,
    )
    expect(
      masked(
        '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b\r\ncontent-disposition: form-data; name=token\r\n\r\nx\r\n--b--\r\n',
      ),
    ).toBe(
      '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b\r\ncontent-disposition: form-data; name=token\r\n\r\n***\r\n--b--\r\n',
    )
  })

  it('masks the code in the challenge metadata of a custom sign-in, but not ordinary metadata', () => {
    const metadata = (challengeMetadata: string) =>
      maskJson(JSON.stringify({ request: { session: [{ challengeMetadata }] } })).text
    expect(metadata('CODE-048213')).toContain('"CODE-***"')
    for (const ordinary of ['CAPTCHA_CHALLENGE', 'CODE-SENT', 'STATUS-CODE-404'])
      expect(metadata(ordinary)).toContain(`"${ordinary}"`)
  })

  it('quickly masks a secret that follows a long hostile string', () => {
    const long = 50_000
    for (const text of [
      '\\'.repeat(long),
      '"a'.repeat(long),
      '%25'.repeat(long),
      'a=%25'.repeat(long),
      '{"a":'.repeat(long),
      '--b\r\n'.repeat(long),
      ' token'.repeat(long),
      '"token":\\n'.repeat(long),
    ])
      expect(maskText(`${text}&token=${secret}`).text.includes(secret)).toBe(false)
  })

  it('masks JSON that is too deep to parse', () => {
    const deep = (inner: string) => `${'{"a":'.repeat(100_000)}${inner}${'}'.repeat(100_000)}`
    const { text } = maskJson(JSON.stringify({ path: '/', body: deep(`{"password":"${secret}"}`) }))
    expect(text).not.toContain(secret)
    expect(JSON.parse(text)).toEqual({ path: '/', body: '"***"' })
    expect(maskJson(deep(`{"password":"${secret}"}`)).text).toBe('"***"')
  })

  it('masks the value 200 in secret fields, but not in other fields, and no booleans', () => {
    const body = JSON.stringify({ code: 200, token: true, answer: '1' })
    const masked = JSON.stringify({ code: '***', token: true, answer: '***' })
    const { text, secrets } = maskJson(JSON.stringify({ statusCode: 200, isBase64Encoded: true, body }))
    expect(JSON.parse(text)).toEqual({ statusCode: 200, isBase64Encoded: true, body: masked })
    expect(secrets.size).toBe(0)
    expect(maskText('{"token": trueAndSecret1, "otp": nullAndSecret1}').text).not.toContain('AndSecret1')
    expect([...maskJson('{"code":"4711"}').secrets]).toContain('4711')
  })

  it('does not change any prototype when a field is named __proto__', () => {
    const { text } = maskJson('{"__proto__":{"polluted":1},"password":"x"}')
    expect(text).toBe('{"__proto__":{"polluted":1},"password":"***"}')
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})
