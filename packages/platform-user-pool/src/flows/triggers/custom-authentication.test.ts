import { describe, expect, it } from '@jest/globals'
import { triggerEventCodec } from '@signalbox/user-pool/contract'
import { answer, custom, define, question } from '../../testing/custom-authentication.ts'
import { clientId as ClientId, poolId as UserPoolId } from '../../testing/pool-setup.ts'
import { signedUpSetup } from '../../testing/signed-up-setup.ts'

describe('custom authentication', () => {
  it('calls the Define, Create and Verify functions in turn until tokens are issued', async () => {
    await using setup = await signedUpSetup({ answers: question })
    const begun = await custom(setup)
    expect(begun).toMatchObject({
      ChallengeName: 'CUSTOM_CHALLENGE',
      ChallengeParameters: { question: 'name of the cat', USERNAME: 'ann' },
    })
    expect(JSON.stringify(begun)).not.toContain('Tom')
    expect(await answer(setup, begun.Session, 'Tom', { ClientMetadata: { a: 'b' } })).toHaveProperty(
      'AuthenticationResult',
    )
    expect(setup.called.slice(-4)).toEqual([
      'DefineAuthChallenge_Authentication',
      'CreateAuthChallenge_Authentication',
      'VerifyAuthChallengeResponse_Authentication',
      'DefineAuthChallenge_Authentication',
    ])
    expect(setup.events.at(-2)).toMatchObject({
      request: {
        challengeAnswer: 'Tom',
        privateChallengeParameters: { answer: 'Tom' },
        clientMetadata: { a: 'b' },
      },
    })
    expect(setup.events.at(-1)).toMatchObject({
      request: {
        session: [{ challengeName: 'CUSTOM_CHALLENGE', challengeResult: true, challengeMetadata: 'CAT' }],
      },
    })
    await expect(answer(setup, begun.Session, 'Tom')).rejects.toMatchObject({
      message: 'Invalid session for the user, session can only be used once.',
    })
  })

  it('fails after a wrong answer', async () => {
    await using setup = await signedUpSetup({ answers: question })
    const { Session } = await custom(setup)
    await expect(answer(setup, Session, 'Jerry')).rejects.toMatchObject({
      type: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    })
  })

  it('starts with SRP when DefineAuthChallenge asks for it', async () => {
    const results: unknown[] = []
    await using setup = await signedUpSetup({
      answers: {
        ...question,
        ...define(session => {
          results.push(session)
          const [latest] = session.slice(-1)
          if (latest?.challengeName === 'SRP_A') return { challengeName: 'PASSWORD_VERIFIER' }
          if (latest?.challengeName === 'PASSWORD_VERIFIER')
            return latest.challengeResult
              ? { challengeName: 'CUSTOM_CHALLENGE' }
              : { failAuthentication: true }
          return latest?.challengeResult ? { issueTokens: true } : { failAuthentication: true }
        }),
      },
    })
    const byPassword = async (password: string) => {
      const { srpClient } = await import('../../srp/srp-client.ts')
      const half = srpClient(UserPoolId, password)
      const begun = await custom(setup, { CHALLENGE_NAME: 'SRP_A', SRP_A: half.SRP_A })
      expect(begun.ChallengeName).toBe('PASSWORD_VERIFIER')
      return setup.call('RespondToAuthChallenge', {
        ClientId,
        ChallengeName: 'PASSWORD_VERIFIER',
        ChallengeResponses: half.prove(begun.ChallengeParameters),
      })
    }
    const next = await byPassword(setup.password)
    expect(next.ChallengeName).toBe('CUSTOM_CHALLENGE')
    expect(await answer(setup, next.Session, 'Tom')).toHaveProperty('AuthenticationResult')
    expect(results.at(-1)).toHaveLength(3)
    await expect(byPassword('Wrong-7even')).rejects.toMatchObject({
      message: 'Incorrect username or password.',
    })
    expect(results.at(-1)).toMatchObject([{ challengeResult: true }, { challengeResult: false }])
  })

  it.each<[string, object, string]>([
    [
      'both tokens and failure',
      { issueTokens: true, failAuthentication: true },
      'InvalidLambdaResponseException',
    ],
    [
      'both tokens and a challenge',
      { issueTokens: true, challengeName: 'CUSTOM_CHALLENGE' },
      'InvalidLambdaResponseException',
    ],
    ['an unknown challenge', { challengeName: 'SMS_MFA' }, 'InvalidLambdaResponseException'],
    ['nothing', {}, 'NotAuthorizedException'],
  ])('fails when DefineAuthChallenge returns %s', async (_, decision, type) => {
    await using setup = await signedUpSetup({ answers: { ...question, ...define(() => decision) } })
    await expect(custom(setup)).rejects.toMatchObject({ type })
  })

  it('fails when the pool lacks one of the three functions', async () => {
    await using setup = await signedUpSetup({ answers: define(() => ({ issueTokens: true })) })
    await expect(custom(setup)).rejects.toMatchObject({ type: 'InvalidUserPoolConfigurationException' })
  })

  it('asks the same question for an unknown user name, and refuses every answer', async () => {
    await using setup = await signedUpSetup({ answers: question })
    const { Session, ChallengeParameters } = await custom(setup, { USERNAME: 'bob' })
    expect(ChallengeParameters).toMatchObject({ question: 'name of the cat' })
    await expect(answer(setup, Session, 'Tom')).rejects.toMatchObject({
      message: 'Incorrect username or password.',
    })
    expect(setup.events.at(-1)).toMatchObject({ request: { userNotFound: true } })
  })
})

it('the trigger-event codec accepts every event of a custom authentication', async () => {
  await using setup = await signedUpSetup({
    answers: {
      ...question,
      TokenGeneration_Authentication: () => ({}),
      PostAuthentication_Authentication: () => ({}),
    },
  })
  const { Session } = await custom(setup)
  await answer(setup, Session, 'Tom')
  for (const event of setup.events) expect(triggerEventCodec.is(event)).toBe(true)
})
