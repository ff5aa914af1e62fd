import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { makeAccess } from '../access/access.ts'
import { systemRandom } from '../random.ts'
import { control } from './control.ts'
import { functionTokens } from './function-tokens.ts'

const records: object[] = []
const key = (id: string) => ({ accessKeyId: id, secretAccessKey: `a-secret.with-dots.of-${id}` })
const access = makeAccess(
  {
    identities: [
      {
        name: 'reader',
        keys: [key('reader'), key('reader@mail.example')],
        rights: { mail: { read: ['*'] } },
      },
      { name: 'busy', keys: [key('busy')], rights: { mail: { read: ['*'] } }, limits: { requests: 1 } },
      { name: 'idle', keys: [key('idle')], rights: {} },
    ],
  },
  {
    keys: () => undefined,
    clock: manualClock(0),
    operator: () => undefined,
    log: { add: record => records.push(record), read: async () => [], close: async () => {} },
  },
)
const tokens = functionTokens(systemRandom)
const listener = control({ port: 0, host: '127.0.0.1', access, tokens }, [
  {
    collection: 'mail',
    mediaType: 'message/rfc822',
    fetch: async id => Buffer.from(id),
    isFor: (id, functionName) => id === `of-${functionName}`,
  },
])
beforeAll(async () => void (await listener.start()))
afterAll(() => listener.stop(0))

const status = async (id: string, authorization?: string) =>
  (
    await fetch(`${listener.url()}/mail/${id}`, {
      headers: authorization === undefined ? {} : { authorization },
    })
  ).status
const bearer = (id: string) => `Bearer ${id}.${key(id).secretAccessKey}`

it.each([
  ['answers 401 to a client without credentials', undefined, 401],
  ['serves a document to a client whose key has the right', bearer('reader'), 200],
  ['serves a document to a client whose key id has dots', bearer('reader@mail.example'), 200],
  ['answers 403 to a client whose key lacks the right', bearer('idle'), 403],
  ['answers 401 to a client with a wrong secret', 'Bearer reader.wrong', 401],
  ['answers 401 to a client with an unknown key', 'Bearer nobody.secret', 401],
  [
    'answers 401 to a client that uses another authentication scheme',
    bearer('reader').replace('Bearer', 'Basic'),
    401,
  ],
  ['serves a document to the function that may read it', `Bearer ${tokens.of('sort')}`, 200],
  ['answers 403 to a function that may not read the document', `Bearer ${tokens.of('other')}`, 403],
  ['answers 401 to a client with an invalid function token', `Bearer ${tokens.of('sort').slice(1)}`, 401],
])('the control address %s', async (_, authorization, expected) => {
  expect(await status('of-sort', authorization)).toBe(expected)
})

it('the control address logs which client asked for a document, and logs no secret', () => {
  expect(records).toContainEqual(
    expect.objectContaining({ identity: 'function other', resource: 'mail/of-sort', result: 'denied' }),
  )
  expect(records).toContainEqual(expect.objectContaining({ identity: 'reader', result: 'allowed' }))
  expect(JSON.stringify(records)).not.toContain(tokens.of('sort'))
  expect(JSON.stringify(records)).not.toContain(key('reader').secretAccessKey)
})

it('the control address answers 429 when an identity or a client address exceeds its limits', async () => {
  expect([await status('a', bearer('busy')), await status('a', bearer('busy'))]).toEqual([200, 429])
  const limited = control({ port: 0, host: '127.0.0.1', limits: { requests: 1, window: 3600 } }, [])
  await limited.start()
  const statuses = [await fetch(limited.url()), await fetch(limited.url())].map(each => each.status)
  expect(statuses).toEqual([404, 429])
  await limited.stop(0)
})
