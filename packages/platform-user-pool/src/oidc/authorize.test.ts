import { expect, it } from '@jest/globals'
import { hostedSetup } from '../testing/hosted-setup.ts'

/** A provider that does not answer. */
const google = { issuer: 'http://127.0.0.1:9', clientId: 'pool', clientSecret: 'secret' }

it('a HEAD request to the authorization endpoint gets no code, and asks no provider', async () => {
  await using hosted = await hostedSetup({
    client: { providers: ['google'] },
    pool: { identityProviders: { google } },
  })
  await hosted.signedIn()
  const cookie = [...hosted.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const more of [{}, { identity_provider: 'google' }] as { [name: string]: string }[]) {
    const { address } = await hosted.ask(more)
    const head = await fetch(address, { method: 'HEAD', headers: { cookie }, redirect: 'manual' })
    expect([head.status, head.headers.get('location')?.startsWith('../login?')]).toEqual([303, true])
  }
  const back = `${hosted.staff.issuer}/oauth2/idpresponse?code=a&state=b`
  expect((await fetch(back, { method: 'HEAD', headers: { cookie } })).status).toBe(400)
})
