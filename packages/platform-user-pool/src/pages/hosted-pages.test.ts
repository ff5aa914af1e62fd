import { describe, expect, it } from '@jest/globals'
import * as oidc from 'openid-client'
import { totpAt } from '../flows/factors/totp.ts'
import { challenges } from '../testing/challenges.ts'
import { callback, hostedSetup, password } from '../testing/hosted-setup.ts'
import type { VisitedPage } from '../testing/page-visitor.ts'

type Hosted = Awaited<ReturnType<typeof hostedSetup>>

/** Opens the sign-in page. */
async function opened(hosted: Hosted, more: { [name: string]: string } = {}) {
  const { address, checks } = await hosted.ask(more)
  return { page: await hosted.visitor.open(address.href), checks, query: address.search }
}

const titleOf = ({ text }: VisitedPage) => /<h1>(.*?)<\/h1>/.exec(text)?.[1]
const wrongOf = ({ text }: VisitedPage) => /role="alert">(.*?)<\/p>/.exec(text)?.[1]

async function redeemed(hosted: Hosted, { url }: VisitedPage, checks: oidc.AuthorizationCodeGrantChecks) {
  return (await oidc.authorizationCodeGrant(hosted.config, new URL(url), checks)).claims()!
}

const admin = (hosted: Hosted, operation: string, input: object) =>
  fetch(hosted.url, {
    method: 'POST',
    headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` },
    body: JSON.stringify({ UserPoolId: hosted.staff.id, ...input }),
  })

it('a user signs up, confirms with a new code and signs in on hosted pages, and the client gets tokens', async () => {
  const nothing = () => ({})
  await using hosted = await hostedSetup({
    pool: { required: ['given_name'] },
    answers: {
      PreSignUp_SignUp: nothing,
      PostConfirmation_ConfirmSignUp: nothing,
      PreAuthentication_Authentication: nothing,
      PostAuthentication_Authentication: nothing,
      TokenGeneration_HostedAuth: nothing,
    },
  })
  const { query, checks } = await opened(hosted)
  const form = await hosted.visitor.open(`${hosted.staff.issuer}/signup${query}`)
  const account = { username: 'bob', email: 'bob@example.com', given_name: 'Bob', new_password: 'weak' }
  const refused = await hosted.visitor.send(form, account)
  expect(refused).toMatchObject({ status: 400 })
  expect([titleOf(refused), wrongOf(refused)]).toEqual([
    'Create an account',
    'Password did not conform with policy: Password not long enough',
  ])
  expect(refused.text).toMatch(
    /name="given_name"[^>]* value="Bob"[^>]* aria-describedby="wrong" aria-invalid="true"/,
  )
  expect(refused.text).not.toContain('weak')
  const confirm = await hosted.visitor.send(refused, { ...account, new_password: password })
  expect(confirm.text).toContain('A code was sent to b***@e***.')
  const early = await hosted.visitor.send(await hosted.visitor.open(`${hosted.staff.issuer}/login${query}`), {
    username: 'bob',
    password,
  })
  expect(titleOf(early)).toBe('Confirm your account')
  expect(wrongOf(await hosted.visitor.send(early, { code: 'none' }))).toMatch(/^Invalid verification code/)
  const sent = await hosted.visitor.send(early, {}, 'resendCode')
  expect(sent.text).toContain('A code was sent to b***@e***.')
  const code = (await hosted.staff.code('bob'))!
  const done = await hosted.visitor.send(sent, { code: ` ${code.slice(0, 3)} ${code.slice(3)}` })
  expect(done.text).toContain('Your account is confirmed. Sign in.')
  const back = await hosted.visitor.send(done, { username: 'bob', password })
  expect(await redeemed(hosted, back, checks)).toMatchObject({ 'cognito:username': 'bob' })
  expect(hosted.setup.called).toEqual([
    'PreSignUp_SignUp',
    'PreAuthentication_Authentication',
    'PostConfirmation_ConfirmSignUp',
    'PreAuthentication_Authentication',
    'PostAuthentication_Authentication',
    'TokenGeneration_HostedAuth',
  ])
})

it('a user signs in with the custom challenges of a pool, without a password', async () => {
  const client = { flows: ['custom', 'password'] as const }
  await using hosted = await hostedSetup({ client, answers: challenges })
  const { page, checks } = await opened(hosted)
  const asked = await hosted.visitor.send(page, { username: 'ann', by: 'custom' })
  expect(titleOf(asked)).toBe('Answer to go on')
  expect(asked.text).toContain('<p>hint: a number</p>')
  expect(asked.text).not.toContain('privateChallengeParameters')
  const again = await hosted.visitor.send(asked, { answer: '6' })
  expect(titleOf(again)).toBe('Answer to go on')
  const back = await hosted.visitor.send(again, { answer: '7' })
  expect(await redeemed(hosted, back, checks)).toMatchObject({ 'cognito:username': 'ann' })
  // The custom challenge has used up its session.
  expect(titleOf(await hosted.visitor.send(again, { answer: '7' }))).toBe('Sign in')

  await using without = await hostedSetup({ client: { flows: ['password'] }, answers: challenges })
  const { page: plain } = await opened(without)
  expect(plain.text).not.toContain('without a password')
  const forged = { ...plain, text: plain.text.replace('<button>', '<button name="by" value="custom">') }
  const refused = await without.visitor.send(forged, { username: 'ann', password, by: 'custom' })
  expect(wrongOf(refused)).toBe('This way to sign in is not possible on this page.')
})

it('a user replaces a forgotten password with a code, and the browser is signed out', async () => {
  await using hosted = await hostedSetup()
  await hosted.signedIn()
  const { query } = await opened(hosted)
  const form = await hosted.visitor.open(`${hosted.staff.issuer}/forgotPassword${query}`)
  const reset = await hosted.visitor.send(form, { username: 'ann' })
  expect(reset.text).toContain('A code was sent to a***@e***.')
  const weak = await hosted.visitor.send(reset, {
    code: (await hosted.staff.code('ann'))!,
    new_password: 'weak',
  })
  expect([titleOf(weak), weak.status]).toEqual(['Choose a new password', 400])
  const done = await hosted.visitor.send(weak, {
    code: (await hosted.staff.code('ann'))!,
    new_password: 'Other-7even',
  })
  expect(done.text).toContain('Your password is changed. Sign in.')
  const silent = await hosted.ask({ prompt: 'none' })
  expect((await hosted.visitor.open(silent.address.href)).url).toContain('error=login_required')
  expect(wrongOf(await hosted.visitor.send(done, { username: 'ann', password }))).toBe(
    'Incorrect username or password.',
  )
  expect((await hosted.visitor.send(done, { username: 'ann', password: 'Other-7even' })).url).toContain(
    `${callback}?code=`,
  )
})

it('a user gets a code at the next sign-in after an administrator has reset the password', async () => {
  await using hosted = await hostedSetup()
  await admin(hosted, 'AdminResetUserPassword', { Username: 'ann' })
  const { page } = await opened(hosted)
  const reset = await hosted.visitor.send(page, { username: 'ann', password })
  expect(reset.text).toContain('You need a new password. A code was sent to a***@e***.')
})

it('a user with a temporary password chooses a new password at the first sign-in', async () => {
  await using hosted = await hostedSetup()
  await admin(hosted, 'AdminCreateUser', {
    Username: 'bob',
    TemporaryPassword: 'Given-7even',
    MessageAction: 'SUPPRESS',
  })
  const { page, checks } = await opened(hosted)
  const asked = await hosted.visitor.send(page, { username: 'bob', password: 'Given-7even' })
  expect(titleOf(asked)).toBe('Choose a new password')
  const weak = await hosted.visitor.send(asked, { new_password: 'weak' })
  expect([titleOf(weak), weak.status]).toEqual(['Choose a new password', 400])
  const back = await hosted.visitor.send(weak, { new_password: password })
  expect(await redeemed(hosted, back, checks)).toMatchObject({ 'cognito:username': 'bob' })
})

describe('a second factor', () => {
  it('is set up and then requested when the pool requires it, and each code is valid only once', async () => {
    await using hosted = await hostedSetup({ pool: { mfa: { mode: 'required', by: ['totp'] } } })
    const { page, checks } = await opened(hosted)
    const setUp = await hosted.visitor.send(page, { username: 'ann', password })
    expect(titleOf(setUp)).toBe('Set up your authenticator app')
    const secret = /class="secret">([A-Z2-7 ]+)</.exec(setUp.text)![1]!.replaceAll(' ', '')
    const wrong = await hosted.visitor.send(setUp, { code: '000000x' })
    expect([wrongOf(wrong), wrong.text.includes(secret.slice(0, 4))]).toEqual([
      'Code mismatch and fail enable Software Token MFA',
      true,
    ])
    const code = totpAt(secret, Date.now())
    const back = await hosted.visitor.send(wrong, { code })
    expect(await redeemed(hosted, back, checks)).toMatchObject({ 'cognito:username': 'ann' })

    const again = await opened(hosted, { prompt: 'login' })
    const asked = await hosted.visitor.send(again.page, { username: 'ann', password })
    expect(titleOf(asked)).toBe('Enter your code')
    expect(wrongOf(await hosted.visitor.send(asked, { code }))).toMatch(/already been used once/)
    expect(wrongOf(await hosted.visitor.send(asked, { code: 'wrong' }))).toMatch(/^Invalid verification code/)
  })

  it('can be chosen from several, and the session in its page is not valid in the API', async () => {
    await using hosted = await hostedSetup({
      pool: { mfa: { mode: 'optional', by: ['sms', 'email'] } },
      client: { flows: ['password'] },
    })
    await admin(hosted, 'AdminUpdateUserAttributes', {
      Username: 'ann',
      UserAttributes: [{ Name: 'phone_number', Value: '+4930123456' }],
    })
    await admin(hosted, 'AdminSetUserMFAPreference', {
      Username: 'ann',
      SMSMfaSettings: { Enabled: true },
      EmailMfaSettings: { Enabled: true },
    })
    const { page, checks } = await opened(hosted)
    const choose = await hosted.visitor.send(page, { username: 'ann', password })
    expect(choose.text).toContain('With a code by e-mail')
    const asked = await hosted.visitor.send(choose, { answer: 'EMAIL_OTP' })
    expect(asked.text).toContain('A code was sent to a***@e***.')
    const Session = /name="session" value="([^"]+)"/.exec(asked.text)![1]
    const code = (await hosted.staff.code('ann'))!
    const stolen = await admin(hosted, 'RespondToAuthChallenge', {
      ClientId: 'web',
      ChallengeName: 'EMAIL_OTP',
      Session,
      ChallengeResponses: { USERNAME: 'ann', EMAIL_OTP_CODE: code },
    })
    expect(await stolen.json()).toMatchObject({ __type: 'NotAuthorizedException' })
    const back = await hosted.visitor.send(asked, { code })
    expect(await redeemed(hosted, back, checks)).toMatchObject({ 'cognito:username': 'ann' })
    const used = await hosted.visitor.send(asked, { code })
    expect([titleOf(used), wrongOf(used)]).toEqual([
      'Sign in',
      'The page was open for too long, or cookies are off. Please try again.',
    ])
  })
})

describe('the second factor cannot be skipped', () => {
  const secret = 'JBSWY3DPEHPK3PXP'

  async function factorSetup() {
    const hosted = await hostedSetup({ pool: { mfa: { mode: 'optional', by: ['email', 'sms'] } } })
    await admin(hosted, 'AdminUpdateUserAttributes', {
      Username: 'ann',
      UserAttributes: [{ Name: 'phone_number', Value: '+4930123456' }],
    })
    await admin(hosted, 'AdminSetUserMFAPreference', {
      Username: 'ann',
      EmailMfaSettings: { Enabled: true },
    })
    const { page } = await opened(hosted)
    return { hosted, asked: await hosted.visitor.send(page, { username: 'ann', password }) }
  }

  it.each([
    'MFA_SETUP',
    'SELECT_MFA_TYPE',
    'CUSTOM_CHALLENGE',
    'NEW_PASSWORD_REQUIRED',
    'WEB_AUTHN',
    'SOFTWARE_TOKEN_MFA',
    'SMS_MFA',
    'SMS_OTP',
    'PASSWORD_VERIFIER',
  ])('by answering %s instead', async challenge => {
    const { hosted, asked } = await factorSetup()
    await using _ = hosted
    const more = '<input name="answer"><input name="credential"><input name="new_password">'
    const text = asked.text.replace('<button>', `${more}<button>`)
    const code = totpAt(secret, Date.now())
    const refused = await hosted.visitor.send(
      { ...asked, text },
      {
        challenge,
        details: challenge === 'MFA_SETUP' ? secret : '',
        code,
        answer: 'SMS_MFA',
        credential: '{}',
        new_password: password,
      },
    )
    expect(refused.url).not.toContain('?code=')
    expect(wrongOf(refused)).toMatch(/^(Invalid session|CREDENTIAL)/)
    const silent = await hosted.ask({ prompt: 'none' })
    expect((await hosted.visitor.open(silent.address.href)).url).toContain('error=login_required')
  })
})

it.each(['https://evil.example', '//evil.example', '/logout', 'login', 'oauth2/authorize', ''])(
  'a sign-in redirects to the client even if the parameter “next” of its URL is “%s”',
  async next => {
    await using hosted = await hostedSetup()
    const { page, query } = await opened(hosted)
    const named = await hosted.visitor.open(
      `${hosted.staff.issuer}/login${query}&next=${encodeURIComponent(next)}`,
    )
    expect(titleOf(named)).toBe(titleOf(page))
    const back = await hosted.visitor.send(named, { username: 'ann', password })
    expect(back.url).toMatch(/^http:\/\/localhost:3000\/cb\?code=/)
  },
)

describe('a form', () => {
  const fields = (page: VisitedPage, more: { [name: string]: string }) =>
    new URLSearchParams({
      _token: /name="_token" value="([^"]+)"/.exec(page.text)![1]!,
      username: 'ann',
      password,
      ...more,
    })
  const cookieOf = (hosted: Hosted) =>
    [...hosted.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  it.each<[string, (page: VisitedPage, cookie: string) => { body: URLSearchParams; headers: object }]>([
    ['without a CSRF token', (page, cookie) => ({ body: fields(page, { _token: '' }), headers: { cookie } })],
    ['with a forged token', (page, cookie) => ({ body: fields(page, { _token: 'x' }), headers: { cookie } })],
    ['without the cookie', page => ({ body: fields(page, {}), headers: {} })],
    [
      'with the CSRF token of another cookie',
      (page, cookie) => ({
        body: fields(page, {}),
        headers: { cookie: cookie.replace(/=.*/, `=${'A'.repeat(43)}`) },
      }),
    ],
    [
      'from another site',
      (page, cookie) => ({ body: fields(page, {}), headers: { cookie, 'sec-fetch-site': 'cross-site' } }),
    ],
  ])('%s is refused', async (_what, request) => {
    await using hosted = await hostedSetup({ answers: { PreAuthentication_Authentication: () => ({}) } })
    const { page } = await opened(hosted)
    const { body, headers } = request(page, cookieOf(hosted))
    const answer = await fetch(page.url, {
      method: 'POST',
      body,
      headers: headers as never,
      redirect: 'manual',
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(hosted.setup.called).toEqual([])
  })

  it('with a token and a cookie signs the user in, and its CSP allows submission only to the pool and the client', async () => {
    await using hosted = await hostedSetup()
    const { page } = await opened(hosted)
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self' http:\/\/localhost:3000; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    expect(page.headers.has('access-control-allow-origin')).toBe(false)
    expect(page.text).not.toMatch(/<script| on\w+=| style=/)
    const headers = { cookie: cookieOf(hosted), 'sec-fetch-site': 'same-origin' }
    const answer = await fetch(page.url, {
      method: 'POST',
      body: fields(page, {}),
      headers,
      redirect: 'manual',
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringContaining(callback)])
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^signin-eu-central-1_Staff01=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })
})

it('the pages for sign-in, password reset and new codes do not reveal whether a user name exists', async () => {
  await using hosted = await hostedSetup()
  const { page, query } = await opened(hosted)
  const pages = async (username: string) => {
    const signedIn = await hosted.visitor.send(page, { username, password: 'Wrong-7even' })
    const form = await hosted.visitor.open(`${hosted.staff.issuer}/forgotPassword${query}`)
    const forgotten = await hosted.visitor.send(form, { username })
    const reset = await hosted.visitor.send(forgotten, { code: '000000', new_password: password })
    return [signedIn, forgotten, reset].map(({ status, text }) => [
      status,
      text.replaceAll(username, 'NAME').replaceAll(/[a-z]\*\*\*@[a-z]\*\*\*/g, 'ADDRESS'),
    ])
  }
  expect(await pages('nobody')).toEqual(await pages('ann'))
})

it('too many wrong passwords lock the account both on hosted pages and in the API', async () => {
  await using hosted = await hostedSetup({ client: { flows: ['password'] } })
  const { page } = await opened(hosted)
  for (let attempt = 1; attempt <= 5; attempt++)
    await hosted.visitor.send(page, { username: 'ann', password: 'Wrong-7even' })
  expect(wrongOf(await hosted.visitor.send(page, { username: 'ann', password }))).toBe(
    'Password attempts exceeded',
  )
  const api = await admin(hosted, 'InitiateAuth', {
    ClientId: 'web',
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: 'ann', PASSWORD: password },
  })
  expect(await api.json()).toMatchObject({ message: 'Password attempts exceeded' })
})

it('when a function denies a sign-in, the page shows the reason as plain text', async () => {
  const hostile = `"><script>alert('x')</script>&amp;`
  await using hosted = await hostedSetup({
    answers: {
      PreAuthentication_Authentication: () => {
        throw new Error(hostile)
      },
    },
  })
  const { page } = await opened(hosted, { login_hint: hostile, state: hostile })
  for (const each of [page, await hosted.visitor.send(page, { username: hostile, password })]) {
    expect(each.text).not.toContain('<script')
    expect(each.text).toContain('&#34;&#62;&#60;script&#62;alert(&#39;x&#39;)&#60;/script&#62;&#38;amp;')
  }
})

it('each pool has its own pages, which are also at its own domain, and refuses cookies from other pools', async () => {
  await using hosted = await hostedSetup({ pool: { domain: 'staff' } })
  const { address } = await hosted.ask()
  const { port } = new URL(hosted.url)
  // `fetch` cannot set the Host header, so the test uses `node:http`.
  const { request } = process.getBuiltinModule('node:http')
  const answer = await new Promise<{ status: number | undefined; location: string | undefined }>(resolve =>
    request(
      {
        port,
        host: '127.0.0.1',
        path: `/oauth2/authorize${address.search}`,
        headers: { host: `staff.localhost:${port}` },
      },
      ({ statusCode: status, headers: { location } }) => resolve({ status, location }),
    ).end(),
  )
  expect(answer).toMatchObject({ status: 303, location: expect.stringMatching(/^\.\.\/login\?/) })
  expect((await fetch(`${hosted.url}/oauth2/authorize${address.search}`)).status).toBe(404)
  expect((await fetch(`${hosted.url}/eu-central-1_Other/login${address.search}`)).status).toBe(404)
})
