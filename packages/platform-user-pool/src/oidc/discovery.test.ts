import { expect, it } from '@jest/globals'
import * as oidc from 'openid-client'
import { listeningPool } from '../testing/listening-pool.ts'

type Document = { readonly [name: string]: unknown }

const id = 'eu-central-1_Staff01'

/** Returns the discovery document of a listener with this issuer, and the URL of the listener. */
async function discovered(listener: { readonly issuer?: string; readonly names?: readonly string[] }) {
  await using setup = await listeningPool({}, ':memory:', { ...listener, open: true })
  const answer = await fetch(`${setup.url}/${id}/.well-known/openid-configuration`)
  const document = (await answer.json()) as Document
  const addresses = Object.entries(document).filter(([name]) => /_endpoint$|_uri$/.test(name))
  return { url: setup.url, issuer: document.issuer, addresses: addresses.map(([, value]) => String(value)) }
}

it('a discovery document names addresses of its listener when the issuer is another service', async () => {
  const issuer = 'https://cognito-idp.eu-central-1.amazonaws.com'
  const found = await discovered({ issuer })
  expect(found.issuer).toBe(`${issuer}/${id}`)
  expect(found.addresses).toHaveLength(6)
  for (const address of found.addresses) expect(address).toMatch(new RegExp(`^${found.url}/${id}/`))
})

it.each([
  ['https://login.example', ['login.example']],
  ['http://localhost:9331', []],
])(
  'a discovery document names addresses below the issuer %s, which is a name of its listener',
  async (issuer, names) => {
    const found = await discovered({ issuer, names })
    for (const address of found.addresses) expect(address).toMatch(new RegExp(`^${issuer}/${id}/`))
  },
)

it('a stock client finds the metadata of the authorization server where RFC 8414 has them', async () => {
  await using setup = await listeningPool()
  const { issuer } = setup.platform.userPools.get('staff')
  const config = await oidc.discovery(new URL(issuer), 'web', undefined, oidc.None(), {
    algorithm: 'oauth2',
    execute: [oidc.allowInsecureRequests],
  })
  expect(config.serverMetadata()).toMatchObject({
    issuer,
    token_endpoint: `${issuer}/oauth2/token`,
    authorization_response_iss_parameter_supported: true,
  })
  const below = await fetch(`${issuer}/.well-known/oauth-authorization-server`)
  expect(await below.json()).toMatchObject({ issuer })
  const unknown = await fetch(`${setup.url}/.well-known/oauth-authorization-server/eu-central-1_None`)
  expect(unknown.status).toBe(404)
})
