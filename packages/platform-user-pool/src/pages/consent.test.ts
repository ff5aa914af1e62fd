import { expect, it } from '@jest/globals'
import { agentCallback, agentSetup } from '../testing/agent-setup.ts'
import { password } from '../testing/hosted-setup.ts'
import { pageVisitor } from '../testing/page-visitor.ts'

const open = { registration: { open: true } }
const onPage = 'Allow access?'
const isCode = (url: string) => new URL(url).searchParams.has('code')
const errorIn = (url: string) => new URL(url).searchParams.get('error')

it('a consent is remembered for the same user, client, scopes and address by https', async () => {
  await using setup = await agentSetup(open)
  const client = await setup.registered({ redirect_uris: [agentCallback, 'http://localhost:7000/cb'] })
  const { visitor } = setup
  const page = await setup.signIn(await visitor.open((await setup.asks(client)).url))
  expect(page.text).toContain(onPage)
  await visitor.send(page, { answer: 'allow' })
  const asked = async (more: { [name: string]: string } = {}) =>
    visitor.open((await setup.asks(client, more)).url)
  expect(isCode((await asked()).url)).toBe(true)
  for (const more of [
    { scope: 'openid email profile' },
    { scope: 'openid' },
    { prompt: 'consent' },
    { redirect_uri: 'http://localhost:7000/cb' },
  ] as { [name: string]: string }[])
    expect((await asked(more)).text).toContain(onPage)
  const other = await setup.registered()
  expect((await visitor.open((await setup.asks(other)).url)).text).toContain(onPage)
})

it.each(['http://localhost:7000/cb', 'https://localhost:7000/cb'])(
  'a consent to %s, which is on the device, counts once',
  async redirect_uri => {
    await using setup = await agentSetup(open)
    const client = await setup.registered({ redirect_uris: [redirect_uri] })
    const { url, verifier } = await setup.asks(client, { redirect_uri })
    const page = await setup.signIn(await setup.visitor.open(url))
    expect(page.text).toContain('a program on this device (localhost:7000)')
    const returned = await setup.visitor.send(page, { answer: 'allow' })
    expect((await setup.redeem(client, returned, verifier, redirect_uri)).status).toBe(200)
    const again = await setup.visitor.open((await setup.asks(client, { redirect_uri })).url)
    expect(again.text).toContain(onPage)
  },
)

it('a consent cannot be skipped, by no page and no parameter', async () => {
  await using setup = await agentSetup(open)
  const client = await setup.registered()
  const { visitor, issuer } = setup
  const { url } = await setup.asks(client)
  await setup.signIn(await visitor.open(url))
  const none = await visitor.open((await setup.asks(client, { prompt: 'none' })).url)
  // The address of the client is not opened, since nobody has configured it.
  expect([none.status, new URL(none.url).origin]).toEqual([400, new URL(issuer).origin])
  // A form without the token, and one without what the page showed.
  const query = new URL(url).search
  const bare = await fetch(`${issuer}/consent${query}`, {
    ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ answer: 'allow' }) },
    headers: { cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
  expect(bare.status).toBe(400)
  const page = await visitor.open(`${issuer}/consent${query}`)
  const changed = { ...page, text: page.text.replace(/name="shown" value="[^"]*"/, 'name="shown" value="a"') }
  expect((await visitor.send(changed, { answer: 'allow' })).text).toContain('Something has changed.')
  // A form for one request, sent with another one.
  const wider = page.text.replaceAll('scope=openid+email', 'scope=openid+email+profile')
  expect((await visitor.send({ ...page, text: wider }, { answer: 'allow' })).text).toContain(
    'Something has changed.',
  )
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})

it('the page says that a client could read the whole account, too', async () => {
  const own = 'aws.cognito.signin.user.admin'
  await using setup = await agentSetup({ registration: { open: true, scopes: [own] } })
  const client = await setup.registered()
  const { url } = await setup.asks(client, { scope: `openid ${own}` })
  expect((await setup.signIn(await setup.visitor.open(url))).text).toContain(
    'Read and change everything about your account',
  )
})

it('a user who refuses goes back to the client with an error', async () => {
  await using setup = await agentSetup(open)
  const client = await setup.registered()
  const page = await setup.signIn(await setup.visitor.open((await setup.asks(client)).url))
  const { url } = await setup.visitor.send(page, { answer: 'refuse' })
  expect(url.startsWith(agentCallback)).toBe(true)
  expect(errorIn(url)).toBe('access_denied')
})

it('the page and form of one session do not work in another', async () => {
  await using setup = await agentSetup(open)
  const client = await setup.registered()
  const { url } = await setup.asks(client)
  const page = await setup.signIn(await setup.visitor.open(url))
  const other = pageVisitor(setup.hosted.url)
  expect((await other.open(page.url)).text).toContain('Sign in')
  // The other session belongs to the same user, and still did not see the page.
  const signedIn = await other.send(await other.open(url), { username: 'ann', password: 'Right-7even' })
  expect(signedIn.text).toContain(onPage)
  expect((await other.send(page, { answer: 'allow' })).status).toBe(400)
  // A cookie from before the sign-in gives no consent either.
  const fixed = pageVisitor(setup.hosted.url)
  const login = await fixed.open(url)
  const before = new Map(fixed.cookies)
  await fixed.send(login, { username: 'ann', password: 'Right-7even' })
  const attacker = pageVisitor(setup.hosted.url)
  for (const [name, value] of before) attacker.cookies.set(name, value)
  expect((await attacker.open(page.url)).text).toContain('Sign in')
})

it('a client that wants a sign-in gets a consent only after it', async () => {
  await using setup = await agentSetup(open)
  const client = await setup.registered()
  const { url } = await setup.asks(client, { prompt: 'login' })
  const page = await setup.signIn(await setup.visitor.open(url))
  expect(page.text).toContain(onPage)
  expect(isCode((await setup.visitor.send(page, { answer: 'allow' })).url)).toBe(true)
  expect((await setup.visitor.open((await setup.asks(client, { prompt: 'login' })).url)).text).toContain(
    'Password',
  )
})

it('a user who is disabled in between gives no consent', async () => {
  await using setup = await agentSetup(open)
  const client = await setup.registered()
  const page = await setup.signIn(await setup.visitor.open((await setup.asks(client)).url))
  await setup.operation('AdminDisableUser', { UserPoolId: 'eu-central-1_Staff01', Username: 'ann' })
  expect((await setup.visitor.send(page, { answer: 'allow' })).text).toContain('Sign in')
})

it('a client that users consent to gets no attributes for openid alone', async () => {
  await using setup = await agentSetup(open)
  const client = await setup.registered()
  const claimsFor = async (scope: string) => {
    const { url, verifier } = await setup.asks(client, { scope })
    const first = await setup.visitor.open(url)
    const page = first.text.includes(onPage) ? first : await setup.signIn(first)
    const returned = await setup.visitor.send(page, { answer: 'allow' })
    const answer = await setup.redeem(client, returned, verifier)
    const { id_token, access_token } = (await answer.json()) as { readonly [name: string]: string }
    const info = await fetch(`${setup.issuer}/oauth2/userInfo`, {
      headers: { authorization: `Bearer ${access_token}` },
    })
    const claims = JSON.parse(Buffer.from(id_token!.split('.')[1]!, 'base64url').toString())
    return [Object.hasOwn(claims, 'email'), Object.hasOwn((await info.json()) as object, 'email')]
  }
  expect(await claimsFor('openid')).toEqual([false, false])
  expect(await claimsFor('openid email')).toEqual([true, true])
})

it.each<[string, object]>([
  ['AdminUserGlobalSignOut', {}],
  ['AdminSetUserPassword', { Password: password, Permanent: true }],
])('a consent ends with %s', async (operation, input) => {
  await using setup = await agentSetup(open)
  const client = await setup.registered()
  const { visitor } = setup
  const first = await setup.signIn(await visitor.open((await setup.asks(client)).url))
  await visitor.send(first, { answer: 'allow' })
  expect(isCode((await visitor.open((await setup.asks(client)).url)).url)).toBe(true)
  await setup.operation(operation, { UserPoolId: 'eu-central-1_Staff01', Username: 'ann', ...input })
  const again = await setup.signIn(await visitor.open((await setup.asks(client)).url))
  expect(again.text).toContain(onPage)
})
