import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { get, json, loadBalancer } from '@signalbox/load-balancer'
import { balancerIdentity } from '@signalbox/load-balancer/balancer-identity'
import { createPlatform } from '@signalbox/platform'
import { cookieBrowser } from './testing/cookie-browser.ts'
import { otherProvider, type ProviderBehaviour } from './testing/other-provider.ts'

const arn = 'arn:cloud:balancer:local:000000000000:loadbalancer/web/1'
const otherArn =
  'arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/web/50dc6c495c0c9188'
const behaviour: ProviderBehaviour = {}
const clock = manualClock(Date.now())
const notices: string[] = []
let provider: Awaited<ReturnType<typeof otherProvider>>
let platform: ReturnType<typeof createPlatform>
let control = ''
let url = ''
let host = ''
let port = ''
let otherUrl = ''

const echo = (event: object) => ({
  ...{ statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false },
  headers: { 'cache-control': 'max-age=60' },
  body: JSON.stringify(event),
})

beforeAll(async () => {
  provider = await otherProvider(behaviour, 60)
  const authenticate = {
    issuer: provider.issuer,
    clientId: 'balancer',
    clientSecret: 'a long secret of the balancer',
    scope: 'openid email offline_access',
  }
  const me = signalbox(
    loadBalancer([
      get(
        '/me',
        { guard: balancerIdentity({ signer: arn, keys: id => `${control}/load-balancer-keys/${id}` }) },
        ({ identity }) => json(identity),
      ),
    ]),
  )
  platform = createPlatform(
    {
      functions: { echo: { handler: echo }, me: { handler: me } },
      loadBalancers: {
        web: {
          port: 0,
          respond: { status: 404 },
          rules: [
            { path: ['/app', '/app/*'], function: 'echo', authenticate },
            { path: ['/me'], function: 'me', authenticate },
            {
              path: ['/open'],
              function: 'echo',
              authenticate: { ...authenticate, onUnauthenticatedRequest: 'allow' },
            },
            {
              path: ['/deny'],
              function: 'echo',
              authenticate: { ...authenticate, onUnauthenticatedRequest: 'deny' },
            },
            {
              path: ['/short'],
              function: 'echo',
              authenticate: { ...authenticate, sessionTimeout: 30, sessionCookie: 'Short' },
            },
            { path: ['/hour'], function: 'echo', authenticate: { ...authenticate, sessionTimeout: 3_600 } },
            {
              path: ['/login'],
              function: 'echo',
              authenticate: { ...authenticate, parameters: { prompt: 'login', ui_locales: 'de' } },
            },
            {
              path: ['/away'],
              function: 'echo',
              authenticate: { issuer: 'http://127.0.0.1:1', clientId: 'balancer' },
            },
            { path: ['/moved'], redirect: { path: '/elsewhere' }, authenticate },
            { path: ['/plain'], function: 'echo' },
          ],
        },
        other: { port: 0, function: 'echo', authenticate, arn: otherArn },
      },
      control: { port: 0 },
      dataDir: ':memory:',
    } as never,
    { clock, onNotice: (text: string) => notices.push(text) } as never,
  )
  const addresses = await platform.start()
  control = addresses.find(({ source }) => source === 'control')!.url
  url = addresses.find(({ source }) => source === 'load balancer web')!.url
  ;({ host, port } = new URL(url))
  otherUrl = addresses.find(({ source }) => source === 'load balancer other')!.url
  provider.open(
    ...[host, `localhost:${port}`, new URL(otherUrl).host].map(each => `http://${each}/oauth2/idpresponse`),
  )
})
afterAll(async () => {
  await platform.stop()
  await provider[Symbol.asyncDispose]()
})
beforeEach(async () => {
  // A notice comes at most once a minute.
  await clock.advance(60_000)
  behaviour.user = 'ann'
  behaviour.fails = undefined
  notices.length = 0
})

const isCallback = (address: string) => address.includes('/oauth2/idpresponse')
const eventOf = (text: string) =>
  JSON.parse(text) as { readonly path: string; readonly headers: Record<string, string> }
const payloadOf = (token: string, part: number) =>
  JSON.parse(Buffer.from(token.split('.')[part]!, 'base64').toString()) as Record<string, unknown>

/** Returns a browser that has signed in. */
async function signedIn(path = '/app') {
  const browser = cookieBrowser()
  const seen = await browser.follow(`${url}${path}`)
  expect([seen.status, seen.text.slice(0, 80)]).toEqual([200, expect.anything()])
  return { browser, seen }
}

describe('a browser without a session', () => {
  it('signs in at the provider, and comes back to where it was, with the claims for the function', async () => {
    const { browser, seen } = await signedIn('/app/a%2Fb?x=1&y=%20')
    const { path, headers } = eventOf(seen.text)
    expect([seen.url, path]).toEqual([`${url}/app/a%2Fb?x=1&y=%20`, '/app/a%2Fb'])
    expect(headers).toMatchObject({
      'x-cloud-oidc-identity': 'ann',
      'x-cloud-oidc-accesstoken': expect.stringMatching(/./),
    })
    const data = headers['x-cloud-oidc-data']!
    expect(payloadOf(data, 0)).toEqual({
      ...{ typ: 'JWT', alg: 'ES256', kid: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/) },
      ...{ iss: provider.issuer, client: 'balancer', signer: arn },
      exp: Math.floor(clock.wall() / 1000) + 120,
    })
    expect(payloadOf(data, 1)).toMatchObject({ sub: 'ann', email: 'ann@example.com', iss: provider.issuer })
    for (const part of data.split('.')) expect(part.length % 4).toBe(0)
    expect(browser.attributes.get('AWSELBAuthSessionCookie-0')).toBe(
      '; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax',
    )
  })

  it('asks with a state, a nonce, PKCE and the parameters of the rule', async () => {
    const { status, headers } = await cookieBrowser().ask(`${url}/login`)
    const { origin, searchParams } = new URL(headers.location!)
    expect([status, origin, headers['cache-control']]).toEqual([302, provider.issuer, 'no-store'])
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ client_id: 'balancer', response_type: 'code', redirect_uri: `${url}/oauth2/idpresponse` },
      ...{ scope: 'openid email offline_access', prompt: 'login', ui_locales: 'de' },
      ...{ state: expect.stringMatching(/^[\w-]{200,}$/), nonce: expect.stringMatching(/^[\w-]{43}$/) },
      ...{ code_challenge: expect.stringMatching(/^[\w-]{43}$/), code_challenge_method: 'S256' },
    })
  })

  it('is refused, or goes on without a user, where the rule says so', async () => {
    const browser = cookieBrowser()
    expect(await browser.ask(`${url}/deny`)).toMatchObject({ status: 401 })
    const open = await browser.ask(`${url}/open`)
    expect(open.status).toBe(200)
    expect(open.text).not.toContain('oidc')
  })

  it('can sign in in two tabs at once', async () => {
    const browser = cookieBrowser()
    const begin = async (tab: number) => (await browser.ask(`${url}/app?tab=${tab}`)).headers.location!
    const [one, two] = [await begin(1), await begin(2)]
    expect(await browser.follow(one)).toMatchObject({ status: 200, url: `${url}/app?tab=1` })
    expect(await browser.follow(two)).toMatchObject({ status: 200, url: `${url}/app?tab=2` })
  })

  it('signs in before a redirect, too', async () => {
    const browser = cookieBrowser()
    const end = await browser.follow(`${url}/moved`, address => address.endsWith('/elsewhere'))
    expect(end).toMatchObject({ status: 302, url: `${url}/elsewhere` })
  })
})

describe('a session', () => {
  it('is that of every rule with the same provider and settings, and of no other rule', async () => {
    const { browser } = await signedIn()
    for (const path of ['/app', '/open', '/deny']) {
      const { status, text } = await browser.ask(`${url}${path}`)
      expect([path, status, eventOf(text).headers['x-cloud-oidc-identity']]).toEqual([path, 200, 'ann'])
    }
    expect(await browser.ask(`${url}/login`)).toMatchObject({ status: 302 })
  })

  it('is useless at another host, at another load balancer, and when it was changed', async () => {
    const { browser } = await signedIn()
    const stolen = [...browser.jar('127.0.0.1')].map(([name, value]) => `${name}=${value}`).join('; ')
    const thief = cookieBrowser()
    expect(await thief.ask(`${url}/deny`, { cookie: stolen })).toMatchObject({ status: 200 })
    expect(await thief.ask(`http://localhost:${port}/deny`, { cookie: stolen })).toMatchObject({
      status: 401,
    })
    expect(await thief.ask(`${otherUrl}/deny`, { cookie: stolen })).toMatchObject({ status: 302 })
    // Browsers keep a cookie whose name begins with U+00A0 as another one.
    const named = stolen.replaceAll('AWSELBAuthSessionCookie', '\u00a0AWSELBAuthSessionCookie')
    expect(await thief.ask(`${url}/deny`, { cookie: named })).toMatchObject({ status: 401 })
    const changed = stolen.replace(/(AWSELBAuthSessionCookie-0=.{40})./, (_, start) => `${start}-`)
    expect(await thief.ask(`${url}/deny`, { cookie: changed })).toMatchObject({ status: 401 })
  })

  it('ends after its time', async () => {
    const { browser } = await signedIn('/short')
    expect(browser.attributes.get('Short-0')).toContain('Max-Age=30')
    await clock.advance(29_000)
    expect(await browser.ask(`${url}/short`)).toMatchObject({ status: 200 })
    await clock.advance(1_000)
    expect(await browser.ask(`${url}/short`)).toMatchObject({ status: 302 })
  })

  it('ends earlier for a rule with a shorter time than the one at which it began', async () => {
    const { browser } = await signedIn()
    expect(await browser.ask(`${url}/hour`)).toMatchObject({ status: 200 })
    await clock.advance(3_600_000)
    expect(await browser.ask(`${url}/app`)).toMatchObject({ status: 200 })
    expect(await browser.ask(`${url}/hour`)).toMatchObject({ status: 302 })
  })

  it('is refreshed when its access token has expired, once for requests that come together', async () => {
    const { browser, seen } = await signedIn()
    const before = [...browser.jar('127.0.0.1')].map(([name, value]) => `${name}=${value}`).join('; ')
    await clock.advance(61_000)
    provider.asked.length = 0
    const answers = await Promise.all(
      [1, 2, 3].map(() => cookieBrowser().ask(`${url}/app`, { cookie: before })),
    )
    expect(provider.asked.filter(({ path }) => path === '/token')).toHaveLength(1)
    const tokens = answers.map(({ text }) => eventOf(text).headers['x-cloud-oidc-accesstoken'])
    expect(new Set(tokens).size).toBe(1)
    expect(tokens[0]).not.toBe(eventOf(seen.text).headers['x-cloud-oidc-accesstoken'])
    expect(answers[0]!.headers['set-cookie']![0]).toMatch(/^AWSELBAuthSessionCookie-0=.*Max-Age=604739/)
    // A shared cache may keep the response of the function, but not the session.
    expect(answers[0]!.headers['cache-control']).toBe('max-age=60, no-cache="Set-Cookie"')
    expect(seen.headers['cache-control']).toBe('max-age=60')
    await browser.ask(`${url}/app`)
    provider.asked.length = 0
    expect(await browser.ask(`${url}/app`)).toMatchObject({ status: 200 })
    expect(provider.asked).toEqual([])
  })

  it('ends when its provider refuses to refresh it, but not when the provider is away', async () => {
    const { browser } = await signedIn()
    await clock.advance(61_000)
    behaviour.fails = { path: '/token', status: 'away' }
    expect(await browser.ask(`${url}/app`)).toMatchObject({ status: 500 })
    behaviour.fails = { path: '/token', status: 400 }
    expect(await browser.ask(`${url}/deny`)).toMatchObject({ status: 401 })
    expect(await browser.ask(`${url}/app`)).toMatchObject({ status: 302 })
  })

  it('whose claims are large takes several cookies, and gives them back', async () => {
    behaviour.claims = { email: 'a'.repeat(6_000) }
    const { browser } = await signedIn()
    expect([...browser.jar('127.0.0.1').keys()].filter(name => /-\d$/.test(name))).toHaveLength(3)
    expect(await browser.ask(`${url}/app`)).toMatchObject({ status: 200 })
    behaviour.claims = {}
    await clock.advance(61_000)
    expect(await browser.ask(`${url}/app`)).toMatchObject({ status: 200 })
    expect([...browser.jar('127.0.0.1').keys()].filter(name => /-\d$/.test(name))).toHaveLength(1)
    expect(await browser.ask(`${url}/app`)).toMatchObject({ status: 200 })
    behaviour.claims = { email: 'a'.repeat(15_000) }
    expect(await cookieBrowser().follow(`${url}/app`)).toMatchObject({ status: 401 })
    behaviour.claims = {}
  })
})

describe('a sign-in is refused', () => {
  const begun = async () => {
    const browser = cookieBrowser()
    return { browser, back: (await browser.follow(`${url}/app`, isCallback)).url }
  }

  it('in another browser, with another state, without one, and at another host', async () => {
    const { browser, back } = await begun()
    expect(await cookieBrowser().ask(back)).toMatchObject({ status: 401 })
    const victim = await begun()
    expect(await victim.browser.ask(back)).toMatchObject({ status: 401 })
    const other = new URL(back)
    other.searchParams.set('state', other.searchParams.get('state')!.replace(/^./, 'A').replace(/.$/, 'A'))
    expect(await browser.ask(other.href)).toMatchObject({ status: 401 })
    expect(await browser.ask(`${url}/oauth2/idpresponse`)).toMatchObject({ status: 401 })
    for (const [name, value] of browser.jar('127.0.0.1')) browser.jar('localhost').set(name, value)
    expect(await browser.ask(back.replace('127.0.0.1', 'localhost'))).toMatchObject({ status: 401 })
    expect(await browser.ask(back)).toMatchObject({ status: 302 })
  })

  it('when it took too long', async () => {
    const { browser, back } = await begun()
    await clock.advance(15 * 60_000)
    expect(await browser.ask(back)).toMatchObject({ status: 401 })
  })

  it('when its code is used again, or is not the one of the provider', async () => {
    const { browser, back } = await begun()
    const forged = new URL(back)
    forged.searchParams.set('code', 'forged')
    expect(await browser.ask(forged.href)).toMatchObject({ status: 561 })
    expect(await browser.ask(back)).toMatchObject({ status: 302 })
    expect(await browser.ask(back)).toMatchObject({ status: 561 })
    expect(notices.join()).toContain('The identity provider answered with an error: invalid_grant')
  })

  it('when the browser brings an error, of which notices name only the known ones', async () => {
    const { browser, back } = await begun()
    for (const error of ['made_up_1', 'made_up_2', 'server_error']) {
      const failed = new URL(back)
      failed.searchParams.delete('code')
      failed.searchParams.set('error', error)
      expect(await browser.ask(failed.href)).toMatchObject({ status: 561 })
    }
    expect(notices).toHaveLength(2)
    expect(notices.join()).not.toContain('made_up')
  })

  it('with any other method than GET', async () => {
    const { browser, back } = await begun()
    expect(await browser.ask(back, {}, 'POST')).toMatchObject({ status: 405 })
  })

  it('when the user denies access', async () => {
    behaviour.user = undefined
    expect(await cookieBrowser().follow(`${url}/app`)).toMatchObject({ status: 401 })
  })

  it.each(['/token', '/me'])('when %s of the provider fails', async path => {
    const { browser, back } = await begun()
    behaviour.fails = { path, status: 500 }
    expect(await browser.ask(back)).toMatchObject({ status: 561 })
  })

  it('when the provider is away', async () => {
    const { status, text } = await cookieBrowser().ask(`${url}/away`)
    expect([status, text]).toEqual([500, 'The identity provider cannot be reached'])
    expect(notices.join()).toContain('http://127.0.0.1:1 cannot be reached')
  })

  it('without a Host header', async () => {
    const socket = connect(Number(port), '127.0.0.1').end('GET /app HTTP/1.0\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.\d 401 [\s\S]*The Host header is missing/)
  })

  it('over http by another name than one of this machine', async () => {
    const asked = await cookieBrowser().ask(`http://shop.example:${port}/app`)
    expect(asked).toMatchObject({ status: 401, text: 'Sign-in needs https, or a name of this machine' })
  })
})

describe('the claims of the load balancer', () => {
  it('are verified by balancerIdentity() with the published key', async () => {
    const { seen } = await signedIn('/me')
    expect(JSON.parse(seen.text)).toMatchObject({ sub: 'ann', email: 'ann@example.com' })
  })

  it('name the ARN of the configuration as their signer', async () => {
    const { text } = await cookieBrowser().follow(`${otherUrl}/a`)
    expect(payloadOf(eventOf(text).headers['x-cloud-oidc-data']!, 0)).toMatchObject({ signer: otherArn })
  })

  it('of a client are removed from every request', async () => {
    const { browser } = await signedIn()
    const forged = {
      'x-amzn-oidc-data': 'forged',
      'X-Cloud-OIDC-Identity': 'root',
      'x-amzn-oidc-accesstoken': 'forged',
      x_amzn_oidc_identity: 'forged',
      'X-Cloud_Oidc-Data': 'forged',
    }
    expect((await browser.ask(`${url}/plain`, forged)).text).not.toMatch(/oidc|forged/i)
    expect((await cookieBrowser().ask(`${url}/open`, forged)).text).not.toMatch(/oidc|forged/i)
    const { text } = await browser.ask(`${url}/app`, forged)
    expect(text).not.toContain('forged')
    expect(eventOf(text).headers['x-cloud-oidc-identity']).toBe('ann')
  })

  it('have one key, which is at the control address', async () => {
    const { seen } = await signedIn()
    const { kid } = payloadOf(eventOf(seen.text).headers['x-cloud-oidc-data']!, 0)
    const answer = await fetch(`${control}/load-balancer-keys/${String(kid)}`)
    expect([answer.status, (await answer.text()).split('\n')[0]]).toEqual([200, '-----BEGIN PUBLIC KEY-----'])
    expect((await fetch(`${control}/load-balancer-keys/other`)).status).toBe(404)
    expect((await fetch(`${control}/load-balancer-keys/other`, { method: 'POST' })).status).toBe(405)
  })
})
