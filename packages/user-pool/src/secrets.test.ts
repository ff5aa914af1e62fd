import { inspect } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { InvalidEventError, signalbox } from '@signalbox/core'
import type { Source } from './contract/index.ts'
import { triggerEvent } from './testing/index.ts'
import { userPool } from './user-pool.ts'

describe('secrets', () => {
  const secret = 'hunter2'
  const secretive: readonly [Source, object][] = [
    ['UserMigration_Authentication', { password: { is: secret } }],
    ['UserMigration_Authentication', { password: [secret] }],
    ['VerifyAuthChallengeResponse_Authentication', { challengeAnswer: [secret] }],
    [
      'VerifyAuthChallengeResponse_Authentication',
      { privateChallengeParameters: { answer: [secret], [secret]: 'x' } },
    ],
    ['VerifyAuthChallengeResponse_Authentication', { privateChallengeParameters: secret }],
    ['CustomEmailSender_SignUp', { code: { is: secret }, type: secret.length }],
    ['CustomSMSSender_SignUp', { code: [secret] }],
    ['InboundFederation_ExternalProvider', { attributes: { idToken: secret, tokenResponse: secret } }],
    ['InboundFederation_ExternalProvider', { attributes: { samlResponse: secret } }],
  ]

  it.each(secretive)('of %s are in no error: %#', async (source, request) => {
    const error = await signalbox(userPool({ PreSignUp: () => ({}) }))(
      triggerEvent(source, request as never),
    ).catch((caught: Error) => caught)
    expect(error).toBeInstanceOf(InvalidEventError)
    for (let told = error as Error | undefined; told !== undefined; told = told.cause as Error | undefined) {
      const inspected = inspect(told, { depth: 20, showHidden: true })
      for (const text of [told.message, told.stack, JSON.stringify(told), inspected])
        expect(text ?? '').not.toContain(secret)
    }
  })

  it('that a route puts into its answer are in no error either', async () => {
    const handler = signalbox(
      userPool({
        CreateAuthChallenge: () =>
          ({ publicChallengeParameters: {}, privateChallengeParameters: { answer: [secret] } }) as never,
      }),
    )
    const error = await handler(triggerEvent('CreateAuthChallenge_Authentication')).catch(
      (caught: Error) => caught,
    )
    expect(error).toMatchObject({
      message: expect.stringContaining('/response/privateChallengeParameters/answer'),
    })
    expect(JSON.stringify(error) + (error as unknown as Error).message).not.toContain(secret)
  })
})
