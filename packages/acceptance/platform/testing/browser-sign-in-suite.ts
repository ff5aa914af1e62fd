import { generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startBrowser } from '@signalbox/console/web/testing/browser'
import { signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import { get, json, loadBalancer } from '@signalbox/load-balancer'
import { balancerIdentity } from '@signalbox/load-balancer/balancer-identity'
import { createPlatform } from '@signalbox/platform'
import type { Browser, BrowserContext, Page } from 'playwright-core'

/** The users that an identity provider knows. */
export type User = 'ann' | 'eve'

/** An identity provider, and a load balancer that sends browsers to it. */
export interface SignInSetting {
  /** The `authenticate` of the load balancers, apart from `sessionTimeout`. */
  readonly authenticate: object
  /** Seconds for which access tokens are valid, less than 600. */
  readonly tokenSeconds: number
  /** The `authenticate` of a rule for another client of the provider. */
  readonly otherClient: object
  /** The rest of the configuration of each of the two load balancers. */
  readonly listeners: readonly [object, object]
  /** More functions of the platform. */
  readonly functions?: object
  /** The rest of the configuration of the platform. */
  readonly more?: object
  /** The name of the load balancer's host, and another one, which browsers take for another site. */
  readonly hosts: readonly [string, string]
  /** Begins to know users, after the platform has started at these addresses. */
  readonly open: (
    platform: ReturnType<typeof createPlatform>,
    origins: readonly string[],
  ) => Promise<void> | void
  /** Opens an address, and does what the provider asks of the user. */
  readonly visit: (tab: Page, address: string, user: User) => Promise<unknown>
  /** Returns the claim `sub` of a user, and the issuer and the client that tokens have. */
  readonly subOf: (user: User) => string
  readonly issuer: () => string
  readonly client: () => string
  /** Ends the provider, if it is not in the platform. */
  readonly end?: () => PromiseLike<void>
}

const signer = 'arn:cloud:balancer:local:000000000000:loadbalancer/web/1'
const seconds = 1_000

/** Checks in a browser that users sign in at a load balancer by an identity provider, and that nobody else does. */
export function browserSignInSuite(start: () => Promise<SignInSetting>) {
  const clock = manualClock(Date.now())
  let setting: SignInSetting
  let browser: Browser
  let platform: ReturnType<typeof createPlatform>
  let url = ''
  let otherHost = ''
  let otherBalancer = ''
  let control = ''
  let me: (event: object, context: object) => Promise<unknown>

  const page = ({ headers }: { readonly headers: Record<string, string> }) => ({
    ...{ statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false },
    headers: { 'content-type': 'text/html', 'cache-control': 'no-store' },
    body: ['identity', 'accesstoken', 'data']
      .map(name => `<p id="${name}">${headers[`x-cloud-oidc-${name}`] ?? ''}</p>`)
      .join(''),
  })

  beforeAll(async () => {
    setting = await start()
    const { otherClient, listeners, functions, more } = setting
    const authenticate = { ...setting.authenticate, sessionTimeout: 600 }
    platform = createPlatform(
      {
        ...more,
        functions: {
          ...functions,
          page: { handler: page },
          me: { handler: (event: object, context: object) => me(event, context) },
        },
        loadBalancers: {
          web: {
            ...{ ...listeners[0], function: 'page', authenticate },
            rules: [
              { path: ['/me'], function: 'me', authenticate },
              { path: ['/open/*'], function: 'me' },
              {
                path: ['/other-client'],
                function: 'page',
                authenticate: { ...otherClient, onUnauthenticatedRequest: 'deny' },
              },
            ],
          },
          other: {
            ...{ ...listeners[1], function: 'page' },
            authenticate: { ...authenticate, onUnauthenticatedRequest: 'deny' },
          },
        },
        control: { port: 0 },
        dataDir: ':memory:',
      } as never,
      { clock, onNotice() {} } as never,
    )
    const addresses = await platform.start()
    const at = (source: string) => addresses.find(each => each.source === source)!.url
    const originAt = (source: string, host: string) => {
      const { protocol, port } = new URL(at(source))
      return `${protocol}//${host}:${port}`
    }
    control = at('control')
    url = originAt('load balancer web', setting.hosts[0])
    otherHost = originAt('load balancer web', setting.hosts[1])
    otherBalancer = originAt('load balancer other', setting.hosts[0])
    await setting.open(platform, [url, otherHost, otherBalancer])
    const routed = signalbox(
      loadBalancer([
        get(
          '/me',
          {
            guard: balancerIdentity({
              ...{ signer, keys: id => `${control}/load-balancer-keys/${id}` },
              ...{ issuer: setting.issuer(), client: setting.client() },
            }),
          },
          ({ identity }) => json(identity),
        ),
        get('/open/me', { guard: balancerIdentity({ signer, keys: id => `${control}/${id}` }) }, () =>
          json('never'),
        ),
      ]),
    )
    me = async (event, context) => routed(event as never, context as never)
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
    await setting?.end?.()
  })

  const newContext = () => browser.newContext()
  const userAt = (tab: Page) => tab.textContent('#identity')

  async function signedIn(context: BrowserContext, user: User = 'ann') {
    const tab = await context.newPage()
    await setting.visit(tab, `${url}/orders/7?size=2`, user)
    await tab.waitForURL(`${url}/orders/7?size=2`)
    expect(await userAt(tab)).toBe(setting.subOf(user))
    return tab
  }

  /** Records the addresses outside of the load balancer to which a tab goes. */
  function leaving(tab: Page) {
    const left: string[] = []
    tab.on('request', request => {
      if (!request.url().startsWith(`${url}/`)) left.push(request.url())
    })
    return left
  }

  const sessionOf = async (context: BrowserContext, origin = url) =>
    (await context.cookies(origin)).filter(({ name }) => /AuthSession/.test(name))

  /** Signs a user in until the provider sends the browser back, and returns the address to which it does. */
  async function lastAddress(context: BrowserContext) {
    await (await signedIn(context)).close()
    // The provider knows the browser, and the load balancer does not any more.
    await context.clearCookies({ name: /AuthSession/ })
    let callback = `${url}/orders/7`
    while (!callback.includes('/oauth2/idpresponse')) {
      const { location } = (await context.request.get(callback, { maxRedirects: 0 })).headers()
      callback = new URL(location!, callback).href
    }
    expect(new URL(callback).searchParams.get('code')).not.toBeNull()
    return callback
  }

  it('a user signs in, comes back to the same page, and gets new tokens without seeing it', async () => {
    await using context = await newContext()
    const tab = await signedIn(context)
    expect(await tab.evaluate('document.cookie')).toBe('')
    const token = await tab.textContent('#accesstoken')
    await clock.advance((setting.tokenSeconds + 1) * seconds)
    const left = leaving(tab)
    await tab.reload()
    expect(await userAt(tab)).toBe(setting.subOf('ann'))
    expect(await tab.textContent('#accesstoken')).not.toBe(token)
    expect(left).toEqual([])
  })

  it('a user signs in again after the session has ended', async () => {
    await using context = await newContext()
    const tab = await signedIn(context)
    await clock.advance(601 * seconds)
    const left = leaving(tab)
    await setting.visit(tab, `${url}/basket`, 'ann')
    await tab.waitForURL(`${url}/basket`)
    expect([await userAt(tab), left.length > 0]).toEqual([setting.subOf('ann'), true])
  })

  it('the state of another browser does not sign anybody in', async () => {
    await using attacker = await newContext()
    const callback = await lastAddress(attacker)
    await using victim = await newContext()
    const tab = await victim.newPage()
    expect((await tab.goto(callback))!.status()).toBe(401)
    // A browser with a sign-in of its own has a cookie, but a different one.
    await victim.request.get(`${url}/orders/7`, { maxRedirects: 0 })
    expect((await tab.goto(callback))!.status()).toBe(401)
    expect(await sessionOf(victim)).toEqual([])
  })

  it('an answer of the provider is taken once, and neither with a changed state nor after 15 minutes', async () => {
    await using context = await newContext()
    const callback = await lastAddress(context)
    const tab = await context.newPage()
    const changed = (change: (query: URLSearchParams) => void) => {
      const address = new URL(callback)
      change(address.searchParams)
      return address.href
    }
    const state = new URL(callback).searchParams.get('state')!
    for (const address of [
      changed(query =>
        query.set(
          'state',
          // The last letter of base64url can have bits that nothing reads.
          state.replace(/(?<=^.{8})./, letter => (letter === 'A' ? 'B' : 'A')),
        ),
      ),
      changed(query => query.set('state', `A${state.slice(1, -1)}A`)),
      changed(query => query.set('state', 'https://attacker.example/')),
      changed(query => query.delete('state')),
    ])
      expect((await tab.goto(address))!.status()).toBe(401)
    expect((await tab.goto(changed(query => query.set('code', 'forged'))))!.status()).toBe(561)
    expect(await sessionOf(context)).toEqual([])
    await tab.goto(callback)
    expect([tab.url(), await userAt(tab)]).toEqual([`${url}/orders/7`, setting.subOf('ann')])
    await context.clearCookies({ name: /AuthSession/ })
    expect((await tab.goto(callback))!.status()).toBe(561)
    const late = await lastAddress(context)
    await clock.advance(15 * 60 * seconds)
    expect((await tab.goto(late))!.status()).toBe(401)
    expect(await sessionOf(context)).toEqual([])
  })

  it('a stolen session is of no use at another host, another load balancer and for another client', async () => {
    await using context = await newContext()
    await signedIn(context)
    const stolen = await sessionOf(context)
    expect(stolen.length).toBeGreaterThan(0)
    await using thief = await newContext()
    await thief.addCookies(
      setting.hosts.flatMap(domain =>
        stolen.map(({ name, value, secure }) => ({ name, value, domain, path: '/', httpOnly: true, secure })),
      ),
    )
    const tab = await thief.newPage()
    await tab.goto(`${url}/orders/7`)
    expect(await userAt(tab)).toBe(setting.subOf('ann'))
    for (const address of [`${url}/other-client`, `${otherBalancer}/orders/7`])
      expect((await tab.goto(address))!.status()).toBe(401)
    await setting.visit(tab, `${otherHost}/orders/7`, 'eve')
    await tab.waitForURL(`${otherHost}/orders/7`)
    expect(await userAt(tab)).toBe(setting.subOf('eve'))
  })

  it('balancerIdentity() takes the claims of the load balancer, and no others', async () => {
    await using context = await newContext()
    const tab = await signedIn(context)
    const data = (await tab.textContent('#data'))!
    const sub = setting.subOf('ann')
    await tab.goto(`${url}/me`)
    expect(JSON.parse((await tab.textContent('body'))!)).toMatchObject({ sub })
    // What the browser sends does not reach the function.
    const [head, claims, signature] = data.split('.') as [string, string, string]
    const header = JSON.parse(Buffer.from(head, 'base64').toString()) as object
    const text = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const eve = { ...(JSON.parse(Buffer.from(claims, 'base64').toString()) as object), sub: 'eve' }
    const signed = (fields: object) => {
      const content = `${text({ ...header, ...fields })}.${text(eve)}`
      return `${content}.${sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
    }
    await context.setExtraHTTPHeaders({ 'x-amzn-oidc-data': data, 'x-cloud-oidc-data': signed({}) })
    await tab.reload()
    expect(JSON.parse((await tab.textContent('body'))!)).toMatchObject({ sub })
    expect((await tab.goto(`${url}/open/me`))!.status()).toBe(401)
    // A client that gets around the load balancer has only the claims that it forges.
    const statusFor = async (token: string) => {
      const event = {
        ...{ httpMethod: 'GET', path: '/me', queryStringParameters: {}, body: '', isBase64Encoded: false },
        requestContext: { elb: { targetGroupArn: 'arn:cloud:balancer:local:000000000000:targetgroup/me/1' } },
        headers: { host: 'localhost', 'x-cloud-oidc-data': token },
      }
      return ((await me(event, {})) as { readonly statusCode: number }).statusCode
    }
    expect(await statusFor(data)).toBe(200)
    for (const forged of [
      `${head}.${text(eve)}.${signature}`,
      signed({}),
      signed({ signer: `${signer}2` }),
      signed({ kid: '00000000-0000-0000-0000-000000000000' }),
      `${text({ ...header, alg: 'none' })}.${text(eve)}.`,
      `${text({ ...header, exp: 9_999_999_999 })}.${claims}.${signature}`,
    ])
      expect([forged, await statusFor(forged)]).toEqual([forged, 401])
  })

  return { newContext, sessionOf, urlOf: (path: string) => url + path, platformOf: () => platform }
}
