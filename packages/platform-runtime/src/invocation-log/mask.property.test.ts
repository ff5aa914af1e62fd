import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { localInvocationLog } from './sqlite/local-invocation-log.ts'
import { logOptions } from './testing/invocation-log-suite.ts'
import { storedText } from './testing/stored-text.ts'

const secret = 'hunter2-hunter2'

const percent = (text: string) =>
  [...text].map(char => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')
const inJson = (text: string) =>
  [...text].map(char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

const name = fc.constantFrom(
  ...[
    'password',
    'pwd',
    'code',
    'answer',
    'token',
    'id_token',
    'secret',
    'api_key',
    'cookie',
    'authorization',
  ],
  ...['accessToken', 'X-Api-Key', 'clientSecret', 'PASSWD', 'newPassword', 'otp', 'x-amzn-oidc-accesstoken'],
)
const spelledForUrls = name.chain(plain => fc.constantFrom(plain, percent(plain), percent(percent(plain))))
const spelledInJson = name.chain(plain => fc.constantFrom(plain, inJson(plain)))
const word = fc.constantFrom('a', 'b=c', 'x y', '"', '&', '\\', '\n', 'é', '{', '')

/** Strings that contain the secret as the value of a secret name, in every format of names and values. */
const text: fc.Arbitrary<string> = fc.letrec<{ text: string }>(tie => ({
  text: fc.oneof(
    { maxDepth: 4 },
    spelledForUrls.map(key => `a=1&${key}=${secret}&b=2`),
    spelledForUrls.map(key => `https://shop.example/back?a=1&${key}=${secret}#top`),
    spelledForUrls.map(key => `GET /?${key}=${secret} HTTP/1.1`),
    spelledInJson.map(key => `{"a":[1,{"${key}":"${secret}"}]}`),
    spelledInJson.map(key => `{"a":1}\n{"${key}":{"deep":["${secret}"]}}\n{"b":2}`),
    spelledInJson.map(key => `\ufeff{"${key}" : "${secret}"}`),
    spelledInJson.map(key => `{"a":{"${key}":"${secret}`),
    spelledInJson.map(key => `{"a":{"${key}":["x","${secret}"],"b":`),
    fc
      .tuple(name, word, fc.constantFrom('"', ''), fc.constantFrom('\r\n', '\n'))
      .map(([key, value, quote, end]) =>
        [
          '--bound',
          'Content-Disposition: form-data; name="a"',
          '',
          value,
          '--bound',
          `Content-Disposition: form-data; name=${quote}${key}${quote}`,
          'Content-Type: text/plain',
          '',
          'first',
          '',
          secret,
          '--bound--',
          '',
        ].join(end),
      ),
    fc.tuple(tie('text'), word).map(([inner, more]) => JSON.stringify({ more, Message: inner })),
    fc.tuple(tie('text'), word).map(([inner, more]) => JSON.stringify([more, { body: inner }])),
    tie('text').map(inner => JSON.stringify({ m: inner }).slice(0, -2)),
    tie('text').map(inner => `next=${encodeURIComponent(inner)}&b=2`),
    tie('text').map(inner => `https://shop.example/go/${encodeURIComponent(inner)}`),
  ),
})).text

it('the invocation log never contains the value of a secret field, regardless of its spelling and position', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'invocation-log.sqlite')
  const database = new DatabaseSync(path)
  const log = localInvocationLog(database, logOptions({ size: 1e9 }))
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.boolean(),
      fc.constantFrom('event', 'body', 'bytes', 'header', 'payload', 'logs'),
      async (held, repeated, where) => {
        const bytes = Buffer.from(held).toString('base64')
        const event = {
          event: { [repeated ? 'q' : 'path']: held },
          body: { body: held, isBase64Encoded: false },
          bytes: { body: bytes, isBase64Encoded: true },
          header: { headers: { referer: held } },
          payload: {},
          logs: {},
        }[where]
        log.append({
          requestId: 'r',
          functionName: 'shop',
          source: 'invoke',
          family: undefined,
          attempt: 1,
          generation: 1,
          started: 0,
          duration: 0,
          event: JSON.stringify(event),
          payload: JSON.stringify(where === 'payload' ? { statusCode: 200, body: held } : null),
          failure: repeated
            ? { kind: 'threw', message: `Error: ${where === 'logs' ? '' : secret}` }
            : undefined,
          verdict: undefined,
          logs: where === 'logs' ? [{ stream: 'out', text: held }] : [],
        })
        await log.flush()
        const written = storedText(database)
        const opened = written.replaceAll(
          /[\w+/]{16,}={0,2}/g,
          part => part + Buffer.from(part, 'base64').toString(),
        )
        expect(opened.includes(secret)).toBe(false)
        expect((await log.list({ last: 1 }))[0]!.masked).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
  await log.close()
  expect(readFileSync(path).toString('latin1').includes(secret)).toBe(false)
})
