import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { startBrowser } from '@signalbox/console/web/testing/browser'
import { manualClock } from '@signalbox/core/testing'
import { createPlatform } from '@signalbox/platform'
import type { Browser, BrowserContext } from 'playwright-core'
import { otherProvider, type ProviderBehaviour } from './testing/other-provider.ts'

const behaviour: ProviderBehaviour = {}
const clock = manualClock(Date.now())
let browser: Browser
let provider: Awaited<ReturnType<typeof otherProvider>>
let platform: ReturnType<typeof createPlatform>
/** The load balancer at two names of this machine, which are two sites for a browser. */
let url = ''
let otherHost = ''

const page = ({ headers }: { readonly headers: Record<string, string> }) => ({
  ...{ statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false },
  headers: { 'content-type': 'text/html', 'cache-control': 'no-store' },
  body: `<p id="user">${headers['x-cloud-oidc-identity']}</p><p id="token">${headers['x-cloud-oidc-accesstoken']}</p>`,
})

beforeAll(async () => {
  provider = await otherProvider(behaviour, 60)
  platform = createPlatform(
    {
      functions: { page: { handler: page } },
      loadBalancers: {
        web: {
          ...{ port: 0, function: 'page' },
          authenticate: {
            ...{ issuer: provider.issuer, clientId: 'balancer', scope: 'openid email offline_access' },
            ...{ clientSecret: 'a long secret of the balancer', sessionTimeout: 600 },
          },
        },
      },
      control: { port: 0 },
      dataDir: ':memory:',
    } as never,
    { clock, onNotice() {} } as never,
  )
  const addresses = await platform.start()
  url = addresses.find(({ source }) => source === 'load balancer web')!.url
  otherHost = url.replace('127.0.0.1', 'localhost')
  provider.open(...[url, otherHost].map(each => `${each}/oauth2/idpresponse`))
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.close()
  await platform.stop()
  await provider[Symbol.asyncDispose]()
})
beforeEach(() => {
  behaviour.user = 'ann'
})

async function signedIn(context: BrowserContext) {
  const tab = await context.newPage()
  await tab.goto(`${url}/orders/7`)
  await tab.waitForURL(`${url}/orders/7`)
  expect(await tab.textContent('#user')).toBe('ann')
  return tab
}

it('a person signs in at the provider of another project, and gets new tokens without seeing it', async () => {
  await using context = await browser.newContext()
  const tab = await signedIn(context)
  const token = await tab.textContent('#token')
  await clock.advance(61_000)
  provider.asked.length = 0
  await tab.reload()
  expect(await tab.textContent('#token')).not.toBe(token)
  // The browser was not sent to the provider: only the load balancer asked it.
  expect(provider.asked.map(({ path }) => path)).not.toContain('/auth')
})

it('signs in again after the session has ended', async () => {
  await using context = await browser.newContext()
  const tab = await signedIn(context)
  await clock.advance(601_000)
  provider.asked.length = 0
  await tab.goto(`${url}/basket`)
  await tab.waitForURL(`${url}/basket`)
  expect(await tab.textContent('#user')).toBe('ann')
  expect(provider.asked.map(({ path }) => path)).toContain('/auth')
})

it('shows 401 to a person who denies access', async () => {
  behaviour.user = undefined
  await using context = await browser.newContext()
  const tab = await context.newPage()
  const answer = await tab.goto(`${url}/orders/7`)
  expect([answer!.status(), new URL(tab.url()).pathname]).toEqual([401, '/oauth2/idpresponse'])
})

it('does not take the state of another browser, so that nobody is signed in as somebody else', async () => {
  await using attacker = await browser.newContext()
  // The attacker signs in, and keeps the last address, with which the load balancer would give the session.
  let callback = `${url}/orders/7`
  while (!callback.includes('/oauth2/idpresponse')) {
    const { location } = (await attacker.request.get(callback, { maxRedirects: 0 })).headers()
    callback = new URL(location!, callback).href
  }
  expect(new URL(callback).searchParams.get('code')).not.toBeNull()
  await using victim = await browser.newContext()
  const tab = await victim.newPage()
  const answer = await tab.goto(callback)
  expect(answer!.status()).toBe(401)
  expect((await victim.cookies(url)).filter(({ name }) => /AuthSession/.test(name))).toEqual([])
})

it('does not take a session that was stolen from another host', async () => {
  await using context = await browser.newContext()
  await signedIn(context)
  const stolen = (await context.cookies(url)).filter(({ name }) => /AuthSession/.test(name))
  expect(stolen.length).toBeGreaterThan(0)
  await using thief = await browser.newContext()
  await thief.addCookies(
    stolen.map(({ name, value }) => ({ name, value, domain: 'localhost', path: '/', httpOnly: true })),
  )
  behaviour.user = 'eve'
  const tab = await thief.newPage()
  await tab.goto(`${otherHost}/orders/7`)
  await tab.waitForURL(`${otherHost}/orders/7`)
  expect(await tab.textContent('#user')).toBe('eve')
})
