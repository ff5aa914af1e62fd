import { afterEach, expect, it } from '@jest/globals'
import { createPlatform } from '@signalbox/platform'
import { testServer } from '@signalbox/platform-postgres/testing/server-suite'
import { freePort } from '@signalbox/platform-runtime/testing/free-port'
import { pageVisitor } from '@signalbox/platform-user-pool/testing/page-visitor'
import { cookieBrowser } from './testing/cookie-browser.ts'

const database = testServer()
const password = 'Right-7even'
const key = Buffer.alloc(32, 7).toString('base64')
afterEach(() => {
  delete process.env.SIGNALBOX_USER_POOL_KEY
  delete process.env.SIGNALBOX_LOAD_BALANCER_KEY
})

const handler = (event: { readonly headers: object }) => ({
  ...{ statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false, headers: {} },
  body: JSON.stringify(event.headers),
})

it('two platforms with one database and one key serve the same sessions, and sign with the same key', async () => {
  const port = await freePort()
  const open = (at: number) =>
    createPlatform({
      functions: { shop: { handler } },
      loadBalancers: { web: { port: at, function: 'shop', authenticate: { pool: 'staff', client: 'web' } } },
      userPools: {
        staff: {
          clients: { web: { secret: true, callbacks: [`http://127.0.0.1:${port}/oauth2/idpresponse`] } },
        },
      },
      userPoolListener: { port: 0 },
      control: { port: 0 },
      storage: { postgres: { url: database.server.url, schema: 'sessions' } },
      dataDir: ':memory:',
    } as never)
  process.env.SIGNALBOX_USER_POOL_KEY = key
  await expect(open(0).start()).rejects.toThrow('Set the environment variable SIGNALBOX_LOAD_BALANCER_KEY')
  process.env.SIGNALBOX_LOAD_BALANCER_KEY = key
  const platforms = [open(port), open(0)] as const
  try {
    const [one, two] = await Promise.all(platforms.map(platform => platform.start()))
    const urlOf = (addresses: typeof one, name: string) =>
      addresses!.find(({ source }) => source === name)!.url
    await platforms[0].userPools.get('staff').users.add('ann', { password })
    const browser = cookieBrowser()
    const url = urlOf(one, 'load balancer web')
    const { headers } = await browser.ask(`${url}/`)
    const visitor = pageVisitor(platforms[0].userPools.get('staff').url)
    const page = await visitor.open(headers.location!)
    const returned = await visitor.send(page, { username: 'ann', password })
    const seen = await browser.follow(returned.url)
    expect(seen.status).toBe(200)
    const there = await browser.ask(`${urlOf(two, 'load balancer web')}/`)
    expect(there.status).toBe(200)
    const kidOf = ({ text }: typeof seen) => {
      const data = (JSON.parse(text) as Record<string, string>)['x-cloud-oidc-data']!
      return (JSON.parse(Buffer.from(data.split('.')[0]!, 'base64').toString()) as { readonly kid: string })
        .kid
    }
    expect(kidOf(there)).toBe(kidOf(seen))
    for (const addresses of [one, two])
      expect((await fetch(`${urlOf(addresses, 'control')}/load-balancer-keys/${kidOf(seen)}`)).status).toBe(
        200,
      )
  } finally {
    await Promise.all(platforms.map(platform => platform.stop()))
  }
})
