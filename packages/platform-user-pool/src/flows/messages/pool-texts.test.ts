import { expect, it } from '@jest/globals'
import { listeningPool } from '../../testing/listening-pool.ts'
import { pageVisitor } from '../../testing/page-visitor.ts'
import { poolSetup } from '../../testing/pool-setup.ts'

const email = { Name: 'email', Value: 'ann@example.com' }

// biome-ignore lint/suspicious/noExplicitAny: each test states what it expects of an answer.
type Call = (operation: string, input: object) => Promise<any>

/** Creates a pool with its own texts through the API. */
async function madePool(setup: { readonly call: Call }, more: object) {
  const { UserPool } = await setup.call('CreateUserPool', {
    PoolName: 'made',
    AutoVerifiedAttributes: ['email'],
    ...more,
  })
  const { UserPoolClient } = await setup.call('CreateUserPoolClient', {
    UserPoolId: UserPool.Id,
    ClientName: 'web',
  })
  return { UserPoolId: UserPool.Id as string, ClientId: UserPoolClient.ClientId as string }
}

it('a pool created through the API sends messages with its own texts', async () => {
  await using setup = await poolSetup()
  const { UserPoolId, ClientId } = await madePool(setup, {
    VerificationMessageTemplate: { EmailSubject: 'Welcome', EmailMessage: 'Take {####}.' },
    SmsAuthenticationMessage: 'Enter {####}.',
    MfaConfiguration: 'OPTIONAL',
    SmsConfiguration: { SnsCallerArn: 'arn:aws:iam::000000000000:role/texts' },
    AdminCreateUserConfig: {
      InviteMessageTemplate: { EmailSubject: 'Come', EmailMessage: '{username}, {####}' },
    },
  })
  const latest = async () => (await setup.call('ListMessages', { UserPoolId })).Messages[0]
  await setup.call('SignUp', { ClientId, Username: 'ann', Password: setup.password, UserAttributes: [email] })
  expect(await latest()).toMatchObject({
    Subject: 'Welcome',
    Text: expect.stringMatching(/^Take \d{6}\.$/),
  })
  const bob = { UserPoolId, Username: 'bob' }
  const phone = [
    { Name: 'email', Value: 'bob@example.com' },
    { Name: 'phone_number', Value: '+4930123456' },
  ]
  await setup.call('AdminCreateUser', { ...bob, UserAttributes: phone, TemporaryPassword: setup.password })
  expect(await latest()).toMatchObject({ Subject: 'Come', Text: `bob, ${setup.password}` })
  await setup.call('AdminSetUserPassword', { ...bob, Password: setup.password, Permanent: true })
  await setup.call('AdminSetUserMFAPreference', { ...bob, SMSMfaSettings: { Enabled: true } })
  await setup.call('InitiateAuth', {
    ClientId,
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: 'bob', PASSWORD: setup.password },
  })
  expect(await latest()).toMatchObject({ Medium: 'SMS', Text: expect.stringMatching(/^Enter \d{6}\.$/) })
})

it('a message text without a placeholder for the code or link is refused', async () => {
  await using setup = await poolSetup()
  for (const [field, more] of [
    ['smsVerificationMessage', { SmsVerificationMessage: 'Hello' }],
    ['verificationMessageTemplate.emailMessage', { VerificationMessageTemplate: { EmailMessage: 'Hello' } }],
    [
      'verificationMessageTemplate.emailMessageByLink',
      { VerificationMessageTemplate: { EmailMessageByLink: '{####}' } },
    ],
  ] as const)
    await expect(setup.call('CreateUserPool', { PoolName: 'made', ...more })).rejects.toMatchObject({
      type: 'InvalidParameterException',
      message: expect.stringContaining(field),
    })
})

it('the link in a verification e-mail can be used only once to confirm a sign-up', async () => {
  await using setup = await listeningPool()
  const call = async (operation: string, input: object) => {
    const headers = { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` }
    return (await fetch(setup.url, { method: 'POST', headers, body: JSON.stringify(input) })).json()
  }
  const { UserPoolId, ClientId } = await madePool(
    { call },
    {
      VerificationMessageTemplate: {
        DefaultEmailOption: 'CONFIRM_WITH_LINK',
        EmailSubjectByLink: 'Welcome',
        EmailMessageByLink: 'Please {##confirm##}.',
      },
    },
  )
  await call('SignUp', { ClientId, Username: 'a<n>n', Password: 'Right-7even', UserAttributes: [email] })
  const { Messages } = await call('ListMessages', { UserPoolId })
  expect(Messages[0]).toMatchObject({ Subject: 'Welcome' })
  const link = /^Please confirm: (\S+)\.$/.exec(Messages[0].Text)![1]!
  expect(link.startsWith(`${setup.url}/${UserPoolId}/confirmUser?`)).toBe(true)
  const status = async () =>
    (await call('AdminGetUser', { UserPoolId, Username: 'a<n>n' })).UserStatus as string
  expect((await fetch(link, { method: 'HEAD' })).status).toBe(400)
  expect((await fetch(link.replace(/\d{6}$/, 'wrong'))).status).toBe(400)
  expect(await status()).toBe('UNCONFIRMED')
  const answer = await fetch(link)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await answer.text()).toContain('Your registration has been confirmed.')
  expect(await status()).toBe('CONFIRMED')
  expect((await fetch(link)).status).toBe(400)
  expect((await fetch(link.replace(ClientId, 'other'))).status).toBe(400)
})

it('the link in a verification e-mail confirms a sign-up with a program that has registered itself', async () => {
  await using setup = await listeningPool()
  const call = async (operation: string, input: object) => {
    const headers = { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` }
    return (await fetch(setup.url, { method: 'POST', headers, body: JSON.stringify(input) })).json()
  }
  const { UserPoolId } = await madePool(
    { call },
    {
      DcrConfiguration: { EnableStatus: 'Enabled', OpenDcrEnabled: true },
      VerificationMessageTemplate: {
        DefaultEmailOption: 'CONFIRM_WITH_LINK',
        EmailMessageByLink: 'Please {##confirm##}.',
      },
    },
  )
  const redirect_uri = 'https://agent.example/cb'
  const issuer = `${setup.url}/${UserPoolId}`
  const answer = await fetch(`${issuer}/oauth2/register`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ redirect_uris: [redirect_uri] }),
  })
  const { client_id } = (await answer.json()) as { readonly client_id: string }
  const pkce = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' }
  const query = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', ...pkce })
  const visitor = pageVisitor(setup.url)
  const form = await visitor.open(`${issuer}/signup?${query}`)
  await visitor.send(form, { username: 'ann', new_password: 'Right-7even', email: email.Value }, 'signup')
  const { Messages } = await call('ListMessages', { UserPoolId })
  const link = /^Please confirm: (\S+)\.$/.exec(Messages[0].Text)![1]!
  expect(await (await fetch(link)).text()).toContain('Your registration has been confirmed.')
})
