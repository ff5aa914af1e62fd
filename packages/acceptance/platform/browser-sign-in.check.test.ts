import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createPlatform } from '@signalbox/platform'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { freePort } from '@signalbox/platform-runtime/testing/free-port'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

const password = 'Right-7even'
let browser: Browser
let folder: ReturnType<typeof temporaryFolder>
let platform: ReturnType<typeof createPlatform>
let url = ''

const methods: string[] = []

interface Request {
  readonly httpMethod: string
  readonly path: string
  readonly headers: Record<string, string>
}

const handler = ({ httpMethod, path, headers }: Request) => {
  methods.push(httpMethod)
  const { sub = '' } = JSON.parse(
    Buffer.from(headers['x-cloud-oidc-data']!.split('.')[1]!, 'base64').toString(),
  ) as { readonly sub?: string }
  return {
    ...{ statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false },
    headers: { 'content-type': 'text/html' },
    body: `<title>Shop</title><p id="path">${path}</p><p id="user">${sub}</p>`,
  }
}

beforeAll(async () => {
  folder = temporaryFolder()
  const tls = { cert: join(folder.path, 'cert.pem'), key: join(folder.path, 'key.pem') }
  writeFileSync(tls.cert, certificate.cert)
  writeFileSync(tls.key, certificate.key)
  const port = await freePort()
  url = `https://localhost:${port}`
  platform = createPlatform({
    functions: { shop: { handler } },
    loadBalancers: {
      web: { port, tls, function: 'shop', authenticate: { pool: 'staff', client: 'web' } },
    },
    userPools: {
      staff: { clients: { web: { secret: true, callbacks: [`${url}/oauth2/idpresponse`] } } },
    },
    userPoolListener: { port: 0 },
    control: { port: 0 },
    dataDir: ':memory:',
  } as never)
  await platform.start()
  await platform.userPools.get('staff').users.add('ann', { password })
  browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args.filter(
      each =>
        !/^--(?:single-process|no-zygote|disable-web-security|disable-site-isolation-trials)$/.test(each),
    ),
  })
})
afterAll(async () => {
  await browser.close()
  await platform.stop()
  folder[Symbol.dispose]()
})

it('a person signs in at the pages of another site, and both tabs come back to where they were', async () => {
  await using context = await browser.newContext({ ignoreHTTPSErrors: true })
  const [first, second] = [await context.newPage(), await context.newPage()]
  await first.goto(`${url}/orders/7`)
  await second.goto(`${url}/basket`)
  for (const page of [first, second]) {
    expect(new URL(page.url()).hostname).toBe('127.0.0.1')
    // The second tab finds the session of the pool after a reload.
    if (page === second) await page.goto(`${url}/basket`)
    if (new URL(page.url()).hostname === 'localhost') continue
    await page.fill('[name=username]', 'ann')
    await page.fill('[name=password]', password)
    await page.click('button[type=submit], button:not([type])')
    await page.waitForURL(/^https:\/\/localhost/)
  }
  const { sub } = (await platform.userPools.get('staff').users.get('ann'))!
  expect([await first.textContent('#path'), await second.textContent('#path')]).toEqual([
    '/orders/7',
    '/basket',
  ])
  expect(await first.textContent('#user')).toBe(sub)
  const cookies = await context.cookies(url)
  expect(cookies.find(({ name }) => name === 'AWSELBAuthSessionCookie-0')).toMatchObject({
    ...{ httpOnly: true, secure: true, sameSite: 'Lax', domain: 'localhost' },
  })
  expect(await first.evaluate('document.cookie')).toBe('')

  // The page of another site makes the browser send a form, which comes without the session.
  methods.length = 0
  await first.goto('about:blank')
  await first.setContent(`<form method="post" action="${url}/orders"><button>Send</button></form>`)
  await first.click('button')
  await first.waitForURL(`${url}/orders`)
  await first.waitForSelector('#path')
  expect(methods).toEqual(['GET'])
})
