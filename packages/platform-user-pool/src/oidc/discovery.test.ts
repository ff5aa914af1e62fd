import { expect, it } from '@jest/globals'
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
