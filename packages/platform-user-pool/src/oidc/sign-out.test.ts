import { expect, it } from '@jest/globals'
import { hostedSetup } from '../testing/hosted-setup.ts'

const bye = 'http://localhost:3000/bye'

async function signedInSetup() {
  const hosted = await hostedSetup()
  const { tokens } = await hosted.signedIn()
  const issuer = hosted.staff.issuer
  /** Whether the browser is still signed in. */
  const isSignedIn = async () => {
    const { address } = await hosted.ask({ prompt: 'none' })
    return new URL((await hosted.visitor.open(address.href)).url).searchParams.has('code')
  }
  expect(await isSignedIn()).toBe(true)
  return {
    hosted,
    hint: tokens.id_token!,
    accessToken: tokens.access_token,
    isSignedIn,
    leave: (parameters: { readonly [name: string]: string }) =>
      hosted.visitor.open(`${issuer}/logout?${new URLSearchParams(parameters)}`),
    [Symbol.asyncDispose]: () => hosted[Symbol.asyncDispose](),
  }
}

it.each(['id_token_hint', 'client_id', 'nothing'])(
  'a sign-out with %s alone ends the session, and a page says so',
  async parameter => {
    await using setup = await signedInSetup()
    const all = { id_token_hint: setup.hint, client_id: 'web' }
    const value = all[parameter as keyof typeof all]
    const page = await setup.leave(value === undefined ? {} : { [parameter]: value })
    expect([page.status, page.text.includes('<h1>You are signed out</h1>')]).toEqual([200, true])
    expect(setup.hosted.visitor.cookies.size).toBe(0)
    expect(await setup.isSignedIn()).toBe(false)
  },
)

it.each([
  ['an address that is not registered', { client_id: 'web', post_logout_redirect_uri: `${bye}/more` }],
  ['an address and no client', { logout_uri: bye }],
  ['an unknown client', { client_id: 'unknown', logout_uri: bye }],
  ['a redirect_uri that is not registered', { client_id: 'web', redirect_uri: `${bye}/more` }],
])('a sign-out with %s ends the session, and a page says what is wrong', async (_what, parameters) => {
  await using setup = await signedInSetup()
  const page = await setup.leave(parameters as { readonly [name: string]: string })
  expect(page.status).toBe(400)
  expect(page.text).toContain('<h1>You are signed out</h1>')
  expect(page.text).toMatch(/role="alert">(The|There) /)
  expect(page.text).toContain('Your session here has ended.')
  expect(await setup.isSignedIn()).toBe(false)
})

it('a sign-out without client_id is one of the client in id_token_hint', async () => {
  await using setup = await signedInSetup()
  const { hint, accessToken, leave, hosted } = setup
  const forged = hint.replace(/\.[^.]*$/, `.${'A'.repeat(342)}`)
  for (const id_token_hint of [forged, accessToken, 'x'])
    expect((await leave({ id_token_hint, post_logout_redirect_uri: bye })).status).toBe(400)
  const ofOther = { id_token_hint: hint, client_id: 'other', post_logout_redirect_uri: bye }
  expect((await leave(ofOther)).status).toBe(400)
  expect(await setup.isSignedIn()).toBe(false)
  await hosted.signedIn()
  const state = { post_logout_redirect_uri: bye, state: 's' }
  expect((await leave({ id_token_hint: hint, ...state })).url).toBe(`${bye}?state=s`)
  expect(await setup.isSignedIn()).toBe(false)
  expect((await leave({ ...ofOther, client_id: 'web' })).url).toBe(bye)
})

it('a HEAD request to the sign-out ends nothing', async () => {
  await using setup = await signedInSetup()
  const cookie = [...setup.hosted.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const address = `${setup.hosted.staff.issuer}/logout?client_id=web`
  const answer = await fetch(address, { method: 'HEAD', headers: { cookie } })
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []])
  expect(await setup.isSignedIn()).toBe(true)
})

it('a sign-out can redirect to the sign-in page', async () => {
  await using hosted = await hostedSetup()
  const { address } = await hosted.ask()
  const page = await hosted.visitor.open(`${hosted.staff.issuer}/logout${address.search}`)
  expect([page.text.includes('<h1>Sign in</h1>'), new URL(page.url).pathname]).toEqual([
    true,
    `/${hosted.staff.id}/login`,
  ])
})
