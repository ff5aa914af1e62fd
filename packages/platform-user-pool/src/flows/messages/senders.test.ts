import { describe, expect, it } from '@jest/globals'
import { codeDecrypter } from '@signalbox/user-pool'
import { codeKey } from '../../secrets/encrypted-code.ts'
import {
  type Answers,
  clientId as ClientId,
  poolSetup,
  poolId as UserPoolId,
} from '../../testing/pool-setup.ts'

type Setup = Awaited<ReturnType<typeof poolSetup>>

const flows = (attribute: { readonly Name: string; readonly Value: string }, other: string) => {
  const UserAttributes = [attribute]
  const signUp = (setup: Setup) =>
    setup.call('SignUp', { ClientId, Username: 'bob', Password: setup.password, UserAttributes })
  const confirmed = async (setup: Setup) => {
    await signUp(setup)
    await setup.engine.settled()
    await setup.call('ConfirmSignUp', { ClientId, Username: 'bob', ConfirmationCode: await setup.code() })
    return (await setup.signIn('bob')).AuthenticationResult.AccessToken as string
  }
  return {
    SignUp: signUp,
    async ResendCode(setup: Setup) {
      await signUp(setup)
      await setup.call('ResendConfirmationCode', { ClientId, Username: 'bob' })
    },
    async ForgotPassword(setup: Setup) {
      await confirmed(setup)
      await setup.call('ForgotPassword', { ClientId, Username: 'bob' })
    },
    async UpdateUserAttribute(setup: Setup) {
      const AccessToken = await confirmed(setup)
      await setup.call('UpdateUserAttributes', {
        AccessToken,
        UserAttributes: [{ ...attribute, Value: other }],
      })
    },
    async VerifyUserAttribute(setup: Setup) {
      const AccessToken = await confirmed(setup)
      await setup.call('GetUserAttributeVerificationCode', { AccessToken, AttributeName: attribute.Name })
    },
    AdminCreateUser: (setup: Setup) =>
      setup.call('AdminCreateUser', { UserPoolId, Username: 'bob', UserAttributes }),
  }
}

const media = [
  ['CustomEmailSender', 'email', { Name: 'email', Value: 'bob@example.com' }, 'new@example.com'],
  ['CustomSMSSender', 'phone', { Name: 'phone_number', Value: '+4930123456' }, '+4930654321'],
] as const

describe.each(media)('%s', (trigger, kind, attribute, other) => {
  it.each(Object.entries(flows(attribute, other)))(
    'gets a code that it can decrypt when it is called for %s',
    async (occasion, flow) => {
      const source = `${trigger}_${occasion}`
      await using setup = await poolSetup({
        pool: { verify: [kind] },
        answers: { [source]: () => ({}) } as Answers,
      })
      await flow(setup)
      await setup.engine.settled()
      const event = setup.events.at(-1)!
      expect(event).not.toHaveProperty('response')
      expect(event).toMatchObject({
        triggerSource: source,
        userName: 'bob',
        request: {
          type: kind === 'email' ? 'customEmailSenderRequestV1' : 'customSMSSenderRequestV1',
          userAttributes: { [attribute.Name]: occasion === 'UpdateUserAttribute' ? other : attribute.Value },
        },
      })
      const encrypted = event.request.code as string
      const key = codeKey(setup.engine.vault).toString('base64')
      const code = await setup.code()
      expect(code).not.toBe('')
      expect(await codeDecrypter({ key })(encrypted)).toBe(code)
      expect(JSON.stringify(setup.entries)).not.toContain(`"${code}"`)
      expect((await setup.texts())[0]).toMatchObject({ state: 'sent', text: undefined })
    },
  )

  it('does not make the request fail when its function throws', async () => {
    const source = `${trigger}_SignUp`
    await using setup = await poolSetup({
      pool: { verify: [kind] },
      answers: {
        [source]: () => {
          throw new Error('no network')
        },
      } as Answers,
    })
    await flows(attribute, other).SignUp(setup)
    await setup.engine.settled()
    expect((await setup.texts())[0]).toMatchObject({ state: 'failed' })
  })
})

it('events of an account have a verification flag for each of its addresses, and no others', async () => {
  const sources = ['PreSignUp_SignUp', 'CustomMessage_SignUp', 'PostConfirmation_ConfirmSignUp'] as const
  const senders = ['CustomEmailSender_ForgotPassword'] as const
  await using setup = await poolSetup({
    answers: Object.fromEntries([...sources, ...senders].map(source => [source, () => undefined])),
  })
  const both = [
    { Name: 'email', Value: 'bob@example.com' },
    { Name: 'phone_number', Value: '+4930123456' },
  ]
  await setup.user('bob', { UserAttributes: both })
  await setup.call('ForgotPassword', { ClientId, Username: 'bob' })
  await setup.user('eve')
  await setup.engine.settled()
  const flags = (userName: string) =>
    setup.events
      .filter(event => event.userName === userName)
      .map(({ triggerSource, request }) => {
        const attributes = request.userAttributes as { readonly [name: string]: string }
        return [triggerSource, attributes.email_verified, attributes.phone_number_verified]
      })
  expect(flags('bob')).toEqual([
    // There is no account yet, so the event has only the attributes that the user sent.
    ['PreSignUp_SignUp', undefined, undefined],
    ['CustomMessage_SignUp', 'false', 'false'],
    ['PostConfirmation_ConfirmSignUp', 'true', 'false'],
    ['CustomEmailSender_ForgotPassword', 'true', 'false'],
  ])
  expect(flags('eve')).toEqual([
    ['PreSignUp_SignUp', undefined, undefined],
    ['CustomMessage_SignUp', 'false', undefined],
    ['PostConfirmation_ConfirmSignUp', 'true', undefined],
  ])
  // The API shows the flags that were set.
  const { UserAttributes } = await setup.call('AdminGetUser', { UserPoolId, Username: 'bob' })
  expect(UserAttributes.map(({ Name }: { Name: string }) => Name)).not.toContain('phone_number_verified')
})
