import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import chromium from '@sparticuz/chromium'
import { build } from 'esbuild'
import { chromium as playwright } from 'playwright-core'
import { hostedSetup, password } from '../testing/hosted-setup.ts'

/** Serves a web page that uses Amplify, at an address of its own. */
async function amplifyProgram() {
  const entry = fileURLToPath(new URL('../testing/clients/amplify-page.ts', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    logLevel: 'error',
  })
  let configuration: object = {}
  const server = createServer((request, response) => {
    if (request.url === '/favicon.ico') return void response.writeHead(404).end()
    const text = `const configuration = ${JSON.stringify(configuration)}\n${outputFiles[0]!.text}`
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      `<!doctype html><title>Shop</title><script>${text.replaceAll('</script', '<\\/script')}</script>`,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://localhost:${(server.address() as AddressInfo).port}/`,
    configure(settings: object) {
      configuration = settings
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

it('Amplify signs a user in and out on the hosted pages over TLS, and each code is valid only once', async () => {
  using folder = temporaryFolder()
  const files = { cert: join(folder.path, 'cert.pem'), key: join(folder.path, 'key.pem') }
  writeFileSync(files.cert, certificate.cert)
  writeFileSync(files.key, certificate.key)
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, certificate.cert])
  using _ = { [Symbol.dispose]: () => setDefaultCACertificates(trusted) }
  await using program = await amplifyProgram()
  await using hosted = await hostedSetup({
    returnTo: program.address,
    client: { logouts: [program.address] },
    listener: { tls: files },
  })
  const { id, issuer } = hosted.staff
  program.configure({
    Auth: {
      Cognito: {
        userPoolId: id,
        userPoolClientId: 'web',
        userPoolEndpoint: hosted.url,
        loginWith: {
          oauth: {
            domain: issuer.replace('https://', ''),
            scopes: ['openid', 'email'],
            redirectSignIn: [program.address],
            redirectSignOut: [program.address],
            responseType: 'code',
          },
        },
      },
    },
  })
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args.filter(
      each => !['--single-process', '--no-zygote', '--disable-web-security'].includes(each),
    ),
  })
  try {
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    const page = await context.newPage()
    const returned: string[] = []
    const redeemed: string[] = []
    page.on('request', request => {
      const url = new URL(request.url())
      if (url.href.startsWith(`${program.address}?`)) returned.push(url.href)
      if (url.pathname.endsWith('/oauth2/token') && request.method() === 'POST')
        redeemed.push(request.postData() ?? '')
    })
    const onPool = () => page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const happens = (event: string) => page.waitForFunction(`program.happened.includes('${event}')`)

    await page.goto(program.address)
    expect(await page.evaluate('program.claims()')).toBeUndefined()
    await page.evaluate('void program.signIn()')
    await onPool()
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(address => address.href.startsWith(program.address))
    await happens('signInWithRedirect')
    expect(await page.evaluate('program.claims()')).toMatchObject({
      'cognito:username': 'ann',
      email: 'ann@example.com',
      iss: issuer,
    })
    expect([returned.length, redeemed.length]).toEqual([1, 1])

    // The user goes back to an address with a used code. Neither Amplify nor the pool accepts the code again.
    await page.goto(returned[0]!)
    await page.evaluate('program.claims()')
    const again = await hosted.post('/oauth2/token', Object.fromEntries(new URLSearchParams(redeemed[0])))
    expect([again.status, await again.json()]).toMatchObject([400, { error: 'invalid_grant' }])

    await page.evaluate('void program.signOut()')
    await page.waitForURL(program.address)
    await page.waitForFunction("typeof program === 'object'")
    expect(await page.evaluate('program.claims()')).toBeUndefined()

    // The browser's session ended with the sign-out, so the pool asks for the password. Amplify refuses codes that do
    // not belong to its current request, such as the code of an earlier request or a code with a made-up state.
    for (const address of [returned[0]!, `${program.address}?code=made-up&state=made-up`]) {
      await page.evaluate('void program.signIn()')
      await onPool()
      await page.goto(address)
      await happens('signInWithRedirect_failure')
      expect(await page.evaluate('program.claims()')).toBeUndefined()
    }
    expect(redeemed).toHaveLength(1)
  } finally {
    await browser.close()
  }
})
