import { expect, it } from '@jest/globals'
import type { createPlatform } from '@signalbox/platform'
import { freePort } from '@signalbox/platform-runtime/testing/free-port'
import type { Page } from 'playwright-core'
import { browserSignInSuite, type User } from './testing/browser-sign-in-suite.ts'

const password = 'Right-7even'
const subs: { [user: string]: string } = {}
let platform: ReturnType<typeof createPlatform>
let isClosed = false

const pool = () => platform.userPools.get('staff')
const isAtPool = (tab: Page) => tab.url().startsWith(`${new URL(pool().url).origin}/`)

async function fillIn(tab: Page, user: User, text = password) {
  await tab.fill('[name=username]', user)
  await tab.fill('[name=password]', text)
  await tab.click('button[type=submit], button:not([type])')
}

const { newContext, sessionOf, urlOf } = browserSignInSuite(async () => {
  const ports = [await freePort(), await freePort()] as const
  const hosts = ['localhost', '127.0.0.1'] as const
  const callbacks = hosts.flatMap(host => ports.map(port => `http://${host}:${port}/oauth2/idpresponse`))
  const client = { secret: true, callbacks, accessMinutes: 5 }
  return {
    authenticate: { pool: 'staff', client: 'web' },
    otherClient: { pool: 'staff', client: 'other' },
    tokenSeconds: 300,
    listeners: [{ port: ports[0] }, { port: ports[1] }],
    hosts,
    functions: {
      'before-sign-in': {
        handler(event: object) {
          if (isClosed) throw new Error('The shop is closed.')
          return event
        },
      },
    },
    more: {
      userPools: {
        staff: {
          clients: { web: client, other: client },
          triggers: { PreAuthentication: 'before-sign-in' },
        },
      },
      userPoolListener: { port: 0 },
    },
    async open(started) {
      platform = started
      for (const name of ['ann', 'eve']) {
        await pool().users.add(name, { password })
        subs[name] = (await pool().users.get(name))!.sub
      }
    },
    async visit(tab, address, user) {
      await tab.goto(address)
      if (isAtPool(tab)) await fillIn(tab, user)
    },
    subOf: user => subs[user]!,
    issuer: () => pool().issuer,
    client: () => pool().clientId('web'),
  }
})

it('a user with a wrong password, or whom a trigger refuses, stays at the pool without a session', async () => {
  await using context = await newContext()
  const tab = await context.newPage()
  await tab.goto(urlOf('/orders/7'))
  const refusedFor = async (text: string) => {
    const loaded = tab.waitForEvent('load')
    await fillIn(tab, 'ann', text)
    await loaded
    expect([isAtPool(tab), await sessionOf(context)]).toEqual([true, []])
    return tab.textContent('[role=alert]')
  }
  expect(await refusedFor('Wrong-7even')).toBe('Incorrect username or password.')
  isClosed = true
  expect(await refusedFor(password)).toContain('The shop is closed.')
  isClosed = false
  await fillIn(tab, 'ann')
  await tab.waitForURL(urlOf('/orders/7'))
})
