import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ApiRoute } from '@signalbox/platform-runtime/console'
import { api } from '../api/api.ts'
import { allRoutes } from '../testing/all-routes.ts'
import { type ConsolePlatform, consolePlatform } from '../testing/console-platform.ts'

const key = (id: string) => ({ id, secret: `secret-of-${id}-which-is-long` })
let setup: ConsolePlatform
beforeAll(async () => {
  setup = await consolePlatform({
    functions: { work: { handler: () => null } },
    access: {
      identities: {
        none: { keys: [key('NONE')], rights: { queues: {} } },
        reader: { keys: [key('READ')], rights: { console: { read: ['*'] } } },
        actor: { keys: [key('ACT')], rights: { console: { act: ['*'] } } },
      },
    },
  })
})
afterAll(async () => {
  await setup[Symbol.asyncDispose]()
})

const bearer = (id: string) => ({ authorization: `Bearer ${id}.${key(id).secret}` })

const files = ['/mail/{id}/source', '/mail/{id}/attachments/{index}'].flatMap(path => [
  path,
  path.replace('/mail/{id}', '/mailboxes/{address}/{id}'),
])
/** These routes sign visitors in or out, so they require no right. `access.test.ts` tests them. */
const sessions: readonly ApiRoute[] = [api.openSession, api.closeSession]
const routes: readonly (readonly [string, string])[] = [
  ...Object.values(allRoutes)
    .filter(each => !sessions.includes(each))
    .map(({ method, path }) => [method, path] as const),
  ...['/live', ...files].map(path => ['GET', path] as const),
]

describe.each(routes)('%s %s of the console', (method, path) => {
  const statusFor = async (headers: Record<string, string>) => {
    const ended = new AbortController()
    const answer = await fetch(`${setup.origin}/console/api${path.replace(/\{\w+\}/g, '1')}`, {
      method,
      headers: { 'x-signalbox-console': '1', ...headers },
      body: method === 'POST' ? '{}' : null,
      signal: ended.signal,
    })
    ended.abort()
    return answer.status
  }

  it('answers 401 without a session or a key', async () => {
    expect(await statusFor({})).toBe(401)
  })

  it(`requires only the right to ${method === 'GET' ? 'read' : 'act'}`, async () => {
    expect(await statusFor(bearer('NONE'))).toBe(403)
    const [allowed, refused] = method === 'GET' ? ['READ', 'ACT'] : ['ACT', 'READ']
    expect(await statusFor(bearer(refused!))).toBe(403)
    expect([401, 403, 429]).not.toContain(await statusFor(bearer(allowed!)))
  })
})
