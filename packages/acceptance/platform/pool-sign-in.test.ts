import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { createPlatform } from '@signalbox/platform'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { freePort } from '@signalbox/platform-runtime/testing/free-port'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { pageVisitor } from '@signalbox/platform-user-pool/testing/page-visitor'
import { cookieBrowser } from './testing/cookie-browser.ts'

const password = 'Right-7even'
const clock = manualClock(Date.now())
let folder: ReturnType<typeof temporaryFolder>
let platform: ReturnType<typeof createPlatform>
let url = ''

const echo = (event: object) => ({ statusCode: 200, headers: {}, body: JSON.stringify(event) })

beforeAll(async () => {
  folder = temporaryFolder()
  const tls = { cert: join(folder.path, 'cert.pem'), key: join(folder.path, 'key.pem') }
  writeFileSync(tls.cert, certificate.cert)
  writeFileSync(tls.key, certificate.key)
  const port = await freePort()
  url = `https://localhost:${port}`
  platform = createPlatform(
    {
      functions: { shop: { handler: echo, dialect: 'aws' } },
      loadBalancers: {
        web: {
          ...{ port, tls, function: 'shop' },
          authenticate: { pool: 'staff', client: 'web', scope: 'openid email' },
        },
      },
      userPools: {
        staff: {
          clients: {
            web: {
              ...{ secret: true, accessMinutes: 5, refresh: { days: 1 / 24 }, scopes: ['openid', 'email'] },
              callbacks: [`${url}/oauth2/idpresponse`],
              logouts: [`${url}/bye`],
            },
          },
        },
      },
      // Browsers find the pool behind a proxy, which does not exist here: the load balancer asks it in this process.
      userPoolListener: { port: 0 },
      control: { port: 0 },
      dataDir: ':memory:',
    } as never,
    { clock } as never,
  )
  await platform.start()
  await platform.userPools
    .get('staff')
    .users.add('ann', { password, attributes: { email: 'ann@example.com', email_verified: 'true' } })
})
afterAll(async () => {
  await platform.stop()
  folder[Symbol.dispose]()
})

/** Signs a browser in on the pages of the pool. */
async function signedIn() {
  const browser = cookieBrowser(certificate.cert)
  const visitor = pageVisitor(platform.userPools.get('staff').url)
  const first = await browser.ask(`${url}/app?x=1`)
  const page = await visitor.open(first.headers.location!)
  const returned = await visitor.send(page, { username: 'ann', password })
  const seen = await browser.follow(returned.url)
  expect([seen.status, seen.url]).toEqual([200, `${url}/app?x=1`])
  return { browser, visitor, headers: headersOf(seen.text) }
}

const headersOf = (text: string) => (JSON.parse(text) as { readonly headers: Record<string, string> }).headers

it('a user of a pool signs in over https, and a function of AWS gets the names of AWS', async () => {
  const { browser, headers } = await signedIn()
  const claims = JSON.parse(Buffer.from(headers['x-amzn-oidc-data']!.split('.')[1]!, 'base64').toString())
  expect(claims).toMatchObject({ email: 'ann@example.com', sub: headers['x-amzn-oidc-identity'] })
  expect(browser.attributes.get('AWSELBAuthSessionCookie-0')).toBe(
    '; Path=/; Max-Age=604800; Secure; HttpOnly; SameSite=Lax',
  )
  expect(browser.attributes.get('__Host-AWSALBAuthNonce')).toContain('Secure; HttpOnly')
})

it('a session of a pool is refreshed, until the pool no longer gives tokens', async () => {
  const { browser, headers } = await signedIn()
  await clock.advance(6 * 60_000)
  const later = headersOf((await browser.ask(`${url}/`)).text)
  expect(later['x-amzn-oidc-identity']).toBe(headers['x-amzn-oidc-identity'])
  expect(later['x-amzn-oidc-accesstoken']).not.toBe(headers['x-amzn-oidc-accesstoken'])
  await clock.advance(60 * 60_000)
  expect(await browser.ask(`${url}/`)).toMatchObject({ status: 302 })
})

it('a function signs a user out by ending the cookies and the session of the pool', async () => {
  const { browser, visitor } = await signedIn()
  browser.jar('localhost').clear()
  const { issuer, clientId } = platform.userPools.get('staff')
  const out = new URLSearchParams({ client_id: clientId('web'), logout_uri: `${url}/bye` })
  expect((await visitor.open(`${issuer}/logout?${out}`)).url).toBe(`${url}/bye`)
  const { headers } = await browser.ask(`${url}/app`)
  expect((await visitor.open(headers.location!)).text).toContain('password')
})

const refused =
  (authenticate: object, more: object = {}) =>
  () =>
    createPlatform({
      functions: { shop: { handler: echo } },
      userPools: { staff: { clients: { web: { callbacks: ['https://localhost/oauth2/idpresponse'] } } } },
      loadBalancers: { web: { port: 0, function: 'shop', authenticate, ...more } },
    } as never)

it.each<[string, object, object, string]>([
  ['an unknown pool', { pool: 'stuff', client: 'web' }, {}, '/authenticate/pool: expected a pool: staff'],
  [
    'an unknown client',
    { pool: 'staff', client: 'app' },
    {},
    '/authenticate/client: expected a client of staff: web',
  ],
  [
    'a missing client',
    { pool: 'staff' },
    {},
    "/authenticate/client: expected the name of one of the pool's clients",
  ],
  [
    'http for other machines',
    { pool: 'staff', client: 'web' },
    { host: '0.0.0.0', open: true },
    'a load balancer with tls',
  ],
])('the configuration refuses %s', (_what, authenticate, more, problem) => {
  expect(refused(authenticate, more)).toThrow(problem)
})
