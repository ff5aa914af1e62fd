import { describe, expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from '../../testing/pool-setup.ts'
import { email, signedUpSetup } from '../../testing/signed-up-setup.ts'

describe('TokenGeneration', () => {
  const overrides = {
    claimsOverrideDetails: {
      claimsToAddOrOverride: { tenant: 't1', email: 'other@example.com' },
      claimsToSuppress: ['email_verified'],
      groupOverrideDetails: {
        groupsToOverride: ['crew'],
        accessRolesToOverride: ['sail'],
        preferredRole: 'sail',
      },
    },
  }
  const claims = (result: { IdToken: string; AccessToken: string }) => [
    decodeJwt(result.IdToken),
    decodeJwt(result.AccessToken),
  ]

  it('Authentication with event version 1 changes claims and groups', async () => {
    await using setup = await signedUpSetup({ answers: { TokenGeneration_Authentication: () => overrides } })
    const [id, access] = claims((await setup.signIn()).AuthenticationResult)
    expect(id).toMatchObject({
      tenant: 't1',
      email: 'other@example.com',
      'cognito:groups': ['crew'],
      'cognito:roles': ['sail'],
      'cognito:preferred_role': 'sail',
    })
    expect(id).not.toHaveProperty('email_verified')
    expect(access).toMatchObject({ 'cognito:groups': ['crew'] })
    expect(access).not.toHaveProperty('tenant')
    expect(setup.events.at(-1)).toMatchObject({
      version: '1',
      request: { groupConfiguration: { groupsToOverride: [] } },
    })
  })

  it.each([2, 3] as const)(
    'Authentication with event version %p changes both tokens and the scopes',
    async version => {
      await using setup = await signedUpSetup({
        version,
        answers: {
          TokenGeneration_Authentication: () => ({
            claimsAndScopeOverrideDetails: {
              idTokenGeneration: { claimsToAddOrOverride: { level: 7 }, claimsToSuppress: ['email'] },
              accessTokenGeneration: {
                claimsToAddOrOverride: { plans: ['a', 'b'] },
                scopesToAdd: ['orders:read'],
                scopesToSuppress: ['aws.cognito.signin.user.admin'],
              },
              groupOverrideDetails: { groupsToOverride: ['crew'] },
            },
          }),
        },
      })
      const { AuthenticationResult } = await setup.signIn()
      const [id, access] = claims(AuthenticationResult)
      expect(id).toMatchObject({ level: 7, 'cognito:groups': ['crew'] })
      expect(id).not.toHaveProperty('email')
      expect(access).toMatchObject({ plans: ['a', 'b'], scope: 'orders:read', 'cognito:groups': ['crew'] })
      expect(setup.events.at(-1)).toMatchObject({
        version: String(version),
        request: { scopes: ['aws.cognito.signin.user.admin'] },
      })
      await expect(setup.call('GetUser', AuthenticationResult)).rejects.toMatchObject({
        message: 'Access Token does not have required scopes',
      })
    },
  )

  it('RefreshTokens is the only trigger that a refresh calls', async () => {
    await using setup = await signedUpSetup({
      answers: {
        PreAuthentication_Authentication: () => ({}),
        PostAuthentication_Authentication: () => ({}),
        TokenGeneration_RefreshTokens: () => overrides,
      },
    })
    const { AuthenticationResult } = await setup.signIn()
    const before = setup.events.length
    const refreshed = await setup.call('InitiateAuth', {
      ClientId,
      AuthFlow: 'REFRESH_TOKEN_AUTH',
      AuthParameters: { REFRESH_TOKEN: AuthenticationResult.RefreshToken },
      ClientMetadata: { a: 'b' },
    })
    expect(setup.called.slice(before)).toEqual(['TokenGeneration_RefreshTokens'])
    const [id] = claims(refreshed.AuthenticationResult)
    const [first] = claims(AuthenticationResult)
    expect(id).toMatchObject({ tenant: 't1', auth_time: first!.auth_time, origin_jti: first!.origin_jti })
  })

  it('NewPasswordChallenge is called after a user has replaced a temporary password', async () => {
    await using setup = await poolSetup({
      answers: { TokenGeneration_NewPasswordChallenge: () => overrides },
    })
    await setup.call('AdminCreateUser', {
      UserPoolId,
      Username: 'ann',
      UserAttributes: email('ann@example.com'),
      TemporaryPassword: 'First-7even',
    })
    const begun = await setup.signIn('ann', 'First-7even')
    expect(begun.ChallengeName).toBe('NEW_PASSWORD_REQUIRED')
    expect(JSON.parse(begun.ChallengeParameters.userAttributes)).toEqual({ email: 'ann@example.com' })
    const choose = (NEW_PASSWORD: string) =>
      setup.call('RespondToAuthChallenge', {
        ClientId,
        ChallengeName: 'NEW_PASSWORD_REQUIRED',
        Session: begun.Session,
        ChallengeResponses: { USERNAME: 'ann', NEW_PASSWORD, 'userAttributes.given_name': 'Ann' },
      })
    await expect(choose('short')).rejects.toMatchObject({ type: 'InvalidPasswordException' })
    const { AuthenticationResult } = await choose(setup.password)
    expect(claims(AuthenticationResult)[0]).toMatchObject({ tenant: 't1', given_name: 'Ann' })
    await expect(choose(setup.password)).rejects.toMatchObject({
      message: expect.stringMatching(/only be used once/),
    })
    expect(await setup.signIn()).toHaveProperty('AuthenticationResult')
  })

  it('cannot change reserved claims', async () => {
    await using setup = await signedUpSetup({
      answers: {
        TokenGeneration_Authentication: () => ({
          claimsOverrideDetails: { claimsToAddOrOverride: { sub: 'me' } },
        }),
      },
    })
    await expect(setup.signIn()).rejects.toMatchObject({ type: 'InvalidLambdaResponseException' })
  })
})
