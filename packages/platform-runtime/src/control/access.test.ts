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
    store: undefined,
    clock: manualClock(0),
    operator: () => undefined,
    log: { add: record => records.push(record), read: () => [], close: () => {} },
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
  ['nothing', undefined, 401],
  ['a key with the right', bearer('reader'), 200],
  ['a key whose id has dots', bearer('reader@mail.example'), 200],
  ['a key without the right', bearer('idle'), 403],
  ['a wrong secret', 'Bearer reader.wrong', 401],
  ['an unknown key', 'Bearer nobody.secret', 401],
  ['another scheme', bearer('reader').replace('Bearer', 'Basic'), 401],
  ['the token of its function', `Bearer ${tokens.of('sort')}`, 200],
  ['the token of another function', `Bearer ${tokens.of('other')}`, 403],
  ['no token of a function', `Bearer ${tokens.of('sort').slice(1)}`, 401],
])(
  'the control address serves a document according to the rights of a client with %s',
  async (_, authorization, expected) => {
    expect(await status('of-sort', authorization)).toBe(expected)
  },
)

it('each request for a document is logged with its client, and without a secret', () => {
  expect(records).toContainEqual(
    expect.objectContaining({ identity: 'function other', resource: 'mail/of-sort', result: 'denied' }),
  )
  expect(records).toContainEqual(expect.objectContaining({ identity: 'reader', result: 'allowed' }))
  expect(JSON.stringify(records)).not.toContain(tokens.of('sort'))
  expect(JSON.stringify(records)).not.toContain(key('reader').secretAccessKey)
})

it('an identity above its limits, and an address above those of the listener, get 429', async () => {
  expect([await status('a', bearer('busy')), await status('a', bearer('busy'))]).toEqual([200, 429])
  const limited = control({ port: 0, host: '127.0.0.1', limits: { requests: 1, window: 3600 } }, [])
  await limited.start()
  const statuses = [await fetch(limited.url()), await fetch(limited.url())].map(each => each.status)
  expect(statuses).toEqual([404, 429])
  await limited.stop(0)
})
