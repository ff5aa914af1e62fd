import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import chromium from '@sparticuz/chromium'
import axe from 'axe-core'
import * as oidc from 'openid-client'
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core'
import { totpAt } from '../flows/factors/totp.ts'
import { challenges } from '../testing/challenges.ts'
import { hostedSetup, password } from '../testing/hosted-setup.ts'

let browser: Browser

/** The browser's default flags that would weaken security. This test leaves them out. */
const unsafe = [
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--disable-site-isolation-trials',
]

beforeAll(async () => {
  browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args.filter(each => !unsafe.includes(each)),
  })
})

afterAll(() => browser.close())

/** Starts the server of a client. Its page shows that the browser has come back. */
async function clientServer() {
  const server = createServer((_request, response) => response.end('<title>Back</title>'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    callback: `http://localhost:${(server.address() as AddressInfo).port}/cb`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Checks the accessibility of the current page, in both themes and on a narrow screen. */
async function check(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(axe.source)
    // Nodes without problems are neither described nor sent.
    const violations = (await page.evaluate(
      "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)",
    )) as axe.AxeResults['violations']
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    expect([await page.title(), colorScheme, found]).toEqual([await page.title(), colorScheme, []])
  }
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
}

const narrow: BrowserContextOptions = { viewport: { width: 360, height: 740 } }

describe.each<[string, BrowserContextOptions]>([
  ['with scripts', narrow],
  ['without scripts', { ...narrow, javaScriptEnabled: false }],
])('a browser %s', (_what, options) => {
  const hasScript = options.javaScriptEnabled !== false
  const look = (page: Page) => (hasScript ? check(page) : Promise.resolve())

  it('signs up, confirms, sets up an authenticator and signs in, and the client gets tokens', async () => {
    await using client = await clientServer()
    await using hosted = await hostedSetup({
      returnTo: client.callback,
      pool: { required: ['given_name', 'birthdate'], mfa: { mode: 'required', by: ['totp'] } },
    })
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const errors: string[] = []
    page.on('console', message => {
      if (message.type() === 'error') {
        errors.push(message.text())
      }
    })
    const { address, checks } = await hosted.ask()
    await page.goto(address.href)
    await look(page)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await look(page)
    await page.getByLabel('User name').fill('bob')
    await page.getByLabel('E-mail address').fill('bob@example.com')
    await page.getByLabel('Given name').fill('Bob')
    await page.getByLabel('Date of birth').fill('2000-01-31')
    await page.getByLabel('New password').fill('weak')
    await page.getByRole('button', { name: 'Create the account' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('Password not long enough')
    expect(await page.evaluate('document.activeElement.name')).toBe('username')
    await look(page)
    await page.getByLabel('New password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Confirm your account' }).waitFor()
    await look(page)
    await page.getByLabel('Code').fill((await hosted.staff.code('bob'))!)
    await page.getByRole('button', { name: 'Confirm the account' }).click()
    await page.getByRole('status').waitFor()
    await look(page)
    expect(await page.getByLabel('User name').inputValue()).toBe('bob')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Set up your authenticator app' }).waitFor()
    await look(page)
    const secret = (await page.locator('.secret').textContent())!.replaceAll(' ', '')
    await page.getByLabel('Code').fill(totpAt(secret, Date.now()))
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.waitForURL(`${client.callback}?**`)
    const tokens = await oidc.authorizationCodeGrant(hosted.config, new URL(page.url()), checks)
    expect(tokens.claims()).toMatchObject({ 'cognito:username': 'bob', email: 'bob@example.com' })

    // The browser stays signed in until it signs out.
    const silent = await hosted.ask({ prompt: 'none' })
    await page.goto(silent.address.href)
    expect(page.url()).toContain('code=')
    await page.goto(`${hosted.staff.issuer}/logout${address.search}`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const after = await hosted.ask({ prompt: 'none' })
    await page.goto(after.address.href)
    expect(page.url()).toContain('error=login_required')
    // Chrome also reports pages with the status 400, such as error pages.
    expect(errors.filter(text => !text.includes('status of 400'))).toEqual([])
    await context.close()
  })

  it('replaces a forgotten password, and shows second factors and errors', async () => {
    await using client = await clientServer()
    await using hosted = await hostedSetup({
      returnTo: client.callback,
      pool: { mfa: { mode: 'optional', by: ['sms', 'email'] }, devices: 'opt-in' },
    })
    const call = (operation: string, input: object) =>
      fetch(hosted.url, {
        method: 'POST',
        headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` },
        body: JSON.stringify({ UserPoolId: hosted.staff.id, Username: 'ann', ...input }),
      })
    await call('AdminUpdateUserAttributes', {
      UserAttributes: [{ Name: 'phone_number', Value: '+4930123456' }],
    })
    await call('AdminSetUserMFAPreference', {
      SMSMfaSettings: { Enabled: true },
      EmailMfaSettings: { Enabled: true },
    })
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const { address, checks } = await hosted.ask()
    await page.goto(address.href)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await look(page)
    await page.getByLabel('User name').fill('ann')
    await page.getByRole('button', { name: 'Send the code' }).click()
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    await look(page)
    await page.getByLabel('Code').fill((await hosted.staff.code('ann'))!)
    await page.getByLabel('New password').fill('Other-7even')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByLabel('Password').fill('Other-7even')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Choose how to go on' }).waitFor()
    await look(page)
    await page.getByRole('button', { name: 'With a code by text message' }).click()
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    await page.getByLabel('Code').fill('wrong')
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('alert').waitFor()
    await look(page)
    await page.getByLabel('Code').fill((await hosted.staff.code('ann'))!)
    await page.getByLabel('Remember this browser').check()
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.waitForURL(`${client.callback}?**`)
    const tokens = await oidc.authorizationCodeGrant(hosted.config, new URL(page.url()), checks)
    expect(tokens.claims()).toMatchObject({ 'cognito:username': 'ann' })
    // The browser is now remembered, so the next sign-in needs no code.
    await page.goto((await hosted.ask({ prompt: 'login' })).address.href)
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password').fill('Other-7even')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${client.callback}?**`)
    await page.goto(address.href.replace('cb', 'other'))
    await page.getByRole('heading', { name: 'This does not work' }).waitFor()
    await look(page)
    await context.close()
  })
})

it('a browser signs in with a passkey, which needs the only script on the hosted pages', async () => {
  await using client = await clientServer()
  await using hosted = await hostedSetup({
    returnTo: client.callback,
    client: { flows: ['password'] },
    pool: { firstFactors: ['password', 'passkey'] },
  })
  const context = await browser.newContext(narrow)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const { address, checks } = await hosted.ask()
  // Passkeys need a host name, but the address of the pages is an IP address.
  const login = address.href.replace('127.0.0.1', 'localhost')
  await page.goto(login.replace('oauth2/authorize', 'passkeys'))
  await check(page)
  await page.getByLabel('User name').fill('ann')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Your passkeys' }).waitFor()
  await check(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('heading', { name: 'Add a passkey' }).waitFor()
  await check(page)
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await page.getByText('The passkey is added.').waitFor()
  await check(page)
  await page.getByRole('link', { name: 'Back to the application' }).click()
  await page.waitForURL(`${client.callback}?**`)
  await oidc.authorizationCodeGrant(hosted.config, new URL(page.url()), checks)

  const next = await hosted.ask({ prompt: 'login' })
  await page.goto(next.address.href.replace('127.0.0.1', 'localhost'))
  await page.getByLabel('User name').fill('ann')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Use your passkey' }).waitFor()
  await check(page)
  await page.getByRole('button', { name: 'Use the passkey' }).click()
  await page.waitForURL(`${client.callback}?**`)
  const tokens = await oidc.authorizationCodeGrant(hosted.config, new URL(page.url()), next.checks)
  expect(tokens.claims()).toMatchObject({ 'cognito:username': 'ann' })
  await context.close()
})

it('a browser signs in with the custom challenges of a pool', async () => {
  await using client = await clientServer()
  await using hosted = await hostedSetup({
    returnTo: client.callback,
    client: { flows: ['custom', 'password'] },
    answers: challenges,
  })
  const context = await browser.newContext(narrow)
  const page = await context.newPage()
  const { address } = await hosted.ask()
  await page.goto(address.href)
  await check(page)
  await page.getByLabel('User name').fill('ann')
  await page.getByRole('button', { name: 'Sign in without a password' }).click()
  await page.getByRole('heading', { name: 'Answer to go on' }).waitFor()
  await check(page)
  await page.getByLabel('Answer').fill('7')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.waitForURL(`${client.callback}?**`)
  await context.close()
})

it('with TLS, the session cookie is sent only over https, and no other host can set it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'))
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  writeFileSync(files.cert, certificate.cert)
  writeFileSync(files.key, certificate.key)
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, certificate.cert])
  // Later test files in this process must not trust the certificate of this test.
  using _ = { [Symbol.dispose]: () => setDefaultCACertificates(trusted) }
  await using client = await clientServer()
  await using hosted = await hostedSetup({ returnTo: client.callback, listener: { tls: files } })
  const context = await browser.newContext({ ...narrow, ignoreHTTPSErrors: true })
  const page = await context.newPage()
  const { address, checks } = await hosted.ask()
  await page.goto(address.href)
  await page.getByLabel('User name').fill('ann')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${client.callback}?**`)
  const tokens = await oidc.authorizationCodeGrant(hosted.config, new URL(page.url()), checks)
  expect(tokens.claims()).toMatchObject({ iss: expect.stringMatching(/^https:/), 'cognito:username': 'ann' })
  expect(await context.cookies(hosted.url)).toMatchObject([
    {
      name: '__Host-signin-eu-central-1_Staff01',
      secure: true,
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
    },
  ])
  await context.close()
  rmSync(folder, { recursive: true })
})
