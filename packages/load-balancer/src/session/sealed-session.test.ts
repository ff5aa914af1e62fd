import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import * as t from 'io-ts'
import { headerModes } from '../../fixtures/header-modes.ts'
import { get, json, loadBalancer, noContent, post } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'
import { sealedSession } from './index.ts'

const old = 'a secret of more than thirty-two characters'
const fresh = 'another secret of more than 32 characters'
const data = t.type({ user: t.string })

describe.each(headerModes)('sealedSession() with %s', (_headers, multiValue) => {
  const setup = (options: object = {}) => {
    const clock = manualClock(1_700_000_000_000)
    const session = sealedSession({ secrets: [old], data, maxAge: 60, clock, ...options })
    const handler = signalbox(
      loadBalancer([
        post('/in/{user}', ({ params }) => session.begin(noContent(), { user: params.user })),
        post('/out', () => session.end(noContent())),
        get('/me', { guard: session.guard }, ({ session }) => json(session.user)),
      ]),
    )
    const ask = (method: 'GET' | 'POST', path: string, cookie?: string) =>
      exchange(
        handler,
        httpEvent(method, path, { multiValue, headers: cookie === undefined ? {} : { cookie } }),
      )
    const signIn = async () => (await ask('POST', '/in/ann')).header('set-cookie')[0]!.split(';')[0]!
    return { ask, signIn, clock }
  }

  it('gives routes the session data until the session expires', async () => {
    const { ask, signIn, clock } = setup()
    const cookie = await signIn()
    expect(await ask('GET', '/me', cookie)).toMatchObject({ status: 200, json: 'ann' })
    await clock.advance(61_000)
    expect(await ask('GET', '/me', cookie)).toMatchObject({ status: 401 })
  })

  it('lives by the wall clock, because several machines open it', async () => {
    const { ask, signIn, clock } = setup()
    const cookie = await signIn()
    clock.jump(61_000)
    expect(await ask('GET', '/me', cookie)).toMatchObject({ status: 401 })
    clock.jump(-61_000)
    expect(await ask('GET', '/me', cookie)).toMatchObject({ status: 200 })
  })

  it('hides the session data from the client, and can end the session', async () => {
    const { ask } = setup()
    const [header] = (await ask('POST', '/in/ann')).header('set-cookie')
    expect(header).toMatch(/^__Host-session=[\w.-]+; Path=\/; Max-Age=60; HttpOnly; Secure; SameSite=Lax$/)
    const [, middle] = header!.split('.')
    expect(Buffer.from(middle!, 'base64url').toString()).not.toContain('ann')
    expect((await ask('POST', '/out')).header('set-cookie')[0]).toMatch(/^__Host-session=;.*Max-Age=0/)
  })

  it('refuses a missing or changed cookie, and a cookie that was sealed with a different secret or name', async () => {
    const { ask, signIn } = setup()
    const cookie = await signIn()
    const foreign = [
      await setup({ secrets: [fresh] }).signIn(),
      (await setup({ name: 'other' }).signIn()).replace('other', '__Host-session'),
    ]
    const changed = cookie.slice(0, -2) + (cookie.endsWith('AA') ? 'BB' : 'AA')
    for (const each of [undefined, '__Host-session=', '__Host-session=a.b.c', changed, ...foreign])
      expect(await ask('GET', '/me', each)).toMatchObject({ status: 401 })
    const other = setup({ data: t.type({ name: t.string }) })
    expect(await other.ask('GET', '/me', cookie)).toMatchObject({ status: 401 })
  })

  it('opens cookies that any of its secrets sealed, and seals new cookies with the first secret', async () => {
    const cookie = await setup().signIn()
    const rotated = setup({ secrets: [fresh, old] })
    expect(await rotated.ask('GET', '/me', cookie)).toMatchObject({ status: 200 })
    expect(await setup().ask('GET', '/me', await rotated.signIn())).toMatchObject({ status: 401 })
  })
})

it.each([
  ['an empty list of secrets', { secrets: [], data }, 'secrets is not a list'],
  ['a short secret', { secrets: ['short'], data }, 'secrets is not a list'],
  ['a maxAge of 0', { secrets: [old], data, maxAge: 0 }, 'maxAge is 0'],
  ['an unknown option', { secrets: [old], data, path: '/' }, 'path'],
])('sealedSession() refuses %s', (_, options, why) => {
  expect(() => sealedSession(options as never)).toThrow(why)
})
