import { expect, it } from '@jest/globals'
import { createPlatform } from '@signalbox/platform'
import { cookieBrowser } from './testing/cookie-browser.ts'
import { otherProvider } from './testing/other-provider.ts'

const handler = ({ headers }: { readonly headers: object }) => ({
  ...{ statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false, headers: {} },
  body: JSON.stringify(headers),
})

/** Signs a browser in at a load balancer. Returns what its function gets, or the status of a refusal. */
async function signedIn(
  provider: Awaited<ReturnType<typeof otherProvider>>,
  authenticate: { readonly [key: string]: unknown },
) {
  const platform = createPlatform({
    functions: { shop: { handler } },
    loadBalancers: {
      web: {
        ...{ port: 0, function: 'shop' },
        authenticate: {
          issuer: provider.issuer,
          clientId: 'balancer',
          clientSecret: 'a long secret of the balancer',
          ...authenticate,
        },
      },
    },
    control: { port: 0 },
    dataDir: ':memory:',
  } as never)
  try {
    const url = (await platform.start()).find(({ source }) => source === 'load balancer web')!.url
    provider.open(`${url}/oauth2/idpresponse`)
    const { status, text } = await cookieBrowser().follow(url)
    if (status !== 200) return status
    const data = (JSON.parse(text) as Record<string, string>)['x-cloud-oidc-data']!
    return JSON.parse(Buffer.from(data.split('.')[1]!, 'base64').toString()) as unknown
  } finally {
    await platform.stop()
  }
}

it('a provider may take secrets in the body alone, and sign with ES256', async () => {
  const kind = { alg: 'ES256', secretIn: 'client_secret_post' } as const
  await using provider = await otherProvider({ user: 'ann' }, 60, kind)
  expect(await signedIn(provider, { scope: 'openid email' })).toMatchObject({
    ...{ sub: 'ann', email: 'ann@example.com' },
  })
})

it('a provider without a discovery document is found by its endpoints', async () => {
  await using provider = await otherProvider({ user: 'ann' }, 60, {
    alg: 'ES256',
    secretIn: 'client_secret_basic',
  })
  const { issuer } = provider
  const endpoints = { authorizationEndpoint: `${issuer}/auth`, tokenEndpoint: `${issuer}/token` }
  const scope = 'openid email'
  expect(await signedIn(provider, { ...endpoints, userInfoEndpoint: `${issuer}/me`, scope })).toEqual({
    ...{ sub: 'ann', email: 'ann@example.com', iss: issuer, exp: expect.any(Number) },
  })
  // Without the endpoint of the claims, they are those of the identity token.
  expect(await signedIn(provider, { ...endpoints, scope })).toEqual({
    ...{ sub: 'ann', iss: issuer, exp: expect.any(Number) },
  })
  expect(provider.asked.some(({ path }) => path.includes('.well-known'))).toBe(false)
})

it('tokens of another issuer than that of the configuration are refused', async () => {
  await using provider = await otherProvider({ user: 'ann' })
  const { issuer } = provider
  const endpoints = { authorizationEndpoint: `${issuer}/auth`, tokenEndpoint: `${issuer}/token` }
  expect(await signedIn(provider, { ...endpoints, issuer: 'https://other.example' })).toBe(401)
})

it('a wrong secret makes a 561', async () => {
  await using provider = await otherProvider({ user: 'ann' })
  expect(await signedIn(provider, { clientSecret: 'another secret' })).toBe(561)
})
