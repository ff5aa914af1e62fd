import { describe, expect, it } from '@jest/globals'
import { codeDecrypter } from '@signalbox/user-pool'
import { codeKey } from '../secrets/sealed-code.ts'
import { type Answers, clientId as ClientId, poolBox, poolId as UserPoolId } from '../testing/pool-box.ts'

type Box = Awaited<ReturnType<typeof poolBox>>

const flows = (attribute: { readonly Name: string; readonly Value: string }, other: string) => {
  const UserAttributes = [attribute]
  const signUp = (box: Box) =>
    box.call('SignUp', { ClientId, Username: 'bob', Password: box.password, UserAttributes })
  const confirmed = async (box: Box) => {
    await signUp(box)
    await box.engine.settled()
    await box.call('ConfirmSignUp', { ClientId, Username: 'bob', ConfirmationCode: await box.code() })
    return (await box.signIn('bob')).AuthenticationResult.AccessToken as string
  }
  return {
    SignUp: signUp,
    async ResendCode(box: Box) {
      await signUp(box)
      await box.call('ResendConfirmationCode', { ClientId, Username: 'bob' })
    },
    async ForgotPassword(box: Box) {
      await confirmed(box)
      await box.call('ForgotPassword', { ClientId, Username: 'bob' })
    },
    async UpdateUserAttribute(box: Box) {
      const AccessToken = await confirmed(box)
      await box.call('UpdateUserAttributes', {
        AccessToken,
        UserAttributes: [{ ...attribute, Value: other }],
      })
    },
    async VerifyUserAttribute(box: Box) {
      const AccessToken = await confirmed(box)
      await box.call('GetUserAttributeVerificationCode', { AccessToken, AttributeName: attribute.Name })
    },
    AdminCreateUser: (box: Box) =>
      box.call('AdminCreateUser', { UserPoolId, Username: 'bob', UserAttributes }),
  }
}

const media = [
  ['CustomEmailSender', 'email', { Name: 'email', Value: 'bob@example.com' }, 'new@example.com'],
  ['CustomSMSSender', 'phone', { Name: 'phone_number', Value: '+4930123456' }, '+4930654321'],
] as const

describe.each(media)('%s', (trigger, kind, attribute, other) => {
  it.each(Object.entries(flows(attribute, other)))(
    '_%s gets a sealed code, which it can open',
    async (occasion, flow) => {
      const source = `${trigger}_${occasion}`
      await using box = await poolBox({
        pool: { verify: [kind] },
        answers: { [source]: () => ({}) } as Answers,
      })
      await flow(box)
      await box.engine.settled()
      const event = box.events.at(-1)!
      expect(event).toMatchObject({
        triggerSource: source,
        userName: 'bob',
        request: {
          type: kind === 'email' ? 'customEmailSenderRequestV1' : 'customSMSSenderRequestV1',
          userAttributes: { [attribute.Name]: occasion === 'UpdateUserAttribute' ? other : attribute.Value },
        },
      })
      const sealed = event.request.code as string
      const key = codeKey(box.engine.vault).toString('base64')
      const code = await box.code()
      expect(code).not.toBe('')
      expect(await codeDecrypter({ key })(sealed)).toBe(code)
      expect(JSON.stringify(box.entries)).not.toContain(`"${code}"`)
      expect((await box.texts())[0]).toMatchObject({ state: 'sent', text: undefined })
    },
  )

  it('does not keep the request waiting, nor fail it', async () => {
    const source = `${trigger}_SignUp`
    await using box = await poolBox({
      pool: { verify: [kind] },
      answers: {
        [source]: () => {
          throw new Error('no network')
        },
      } as Answers,
    })
    await flows(attribute, other).SignUp(box)
    await box.engine.settled()
    expect((await box.texts())[0]).toMatchObject({ state: 'failed' })
  })
})
