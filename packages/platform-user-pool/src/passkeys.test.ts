import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider'
import { describe, expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import type { UserPoolConfig } from './config/user-pool-config.ts'
import { totpAt } from './flows/factors/totp.ts'
import { listeningPool } from './testing/listening-pool.ts'
import { type Behaviour, softwareAuthenticator } from './testing/software-authenticator.ts'

const Password = 'Right-7even'
const ClientId = 'web'
const flows = ['password', 'choice', 'refresh'] as const

/** Starts a pool with passkeys and two users, and an AWS SDK client for it. */
async function passkeySetup(pool: Partial<UserPoolConfig> = {}) {
  const running = await listeningPool({
    clients: { web: { id: ClientId, flows }, app: { id: 'app', flows } },
    firstFactors: ['password', 'passkey'],
    ...pool,
  })
  const client = new CognitoIdentityProvider({
    endpoint: running.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
  })
  const staff = running.platform.userPools.get('staff')
  for (const name of ['ann', 'bob']) await staff.users.add(name, { password: Password })
  const signIn = async (USERNAME = 'ann', id = ClientId) => {
    const AuthParameters = { USERNAME, PASSWORD: Password }
    const answer = await client.initiateAuth({
      ClientId: id,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters,
    })
    return answer.AuthenticationResult!.AccessToken!
  }
  const authenticator = softwareAuthenticator()
  const begin = (USERNAME = 'ann', more: object = { PREFERRED_CHALLENGE: 'WEB_AUTHN' }, id = ClientId) =>
    client.initiateAuth({ ClientId: id, AuthFlow: 'USER_AUTH', AuthParameters: { USERNAME, ...more } })
  const answer = (Session: string | undefined, credential: unknown, USERNAME = 'ann', id = ClientId) =>
    client.respondToAuthChallenge({
      ClientId: id,
      ChallengeName: 'WEB_AUTHN',
      Session,
      ChallengeResponses: { USERNAME, CREDENTIAL: JSON.stringify(credential) },
    })
  return {
    ...running,
    client,
    staff,
    signIn,
    authenticator,
    begin,
    answer,
    /** Adds a passkey for a user. */
    async add(AccessToken: string, behaviour: Behaviour = {}) {
      const { CredentialCreationOptions } = await client.startWebAuthnRegistration({ AccessToken })
      const Credential = authenticator.create(CredentialCreationOptions as never, behaviour)
      await client.completeWebAuthnRegistration({ AccessToken, Credential })
      return Credential
    },
    /** Signs a user in with a passkey. */
    async use(behaviour: Behaviour = {}, name = 'ann') {
      const { Session, ChallengeParameters } = await begin(name)
      const options = JSON.parse(ChallengeParameters!.CREDENTIAL_REQUEST_OPTIONS!)
      return answer(Session, authenticator.get(options, behaviour), name)
    },
    async [Symbol.asyncDispose]() {
      client.destroy()
      await running[Symbol.asyncDispose]()
    },
  }
}

const refused = { name: 'NotAuthorizedException', message: 'The passkey could not be verified.' }

it('a user adds a passkey, signs in with it, sees it in the list and deletes it', async () => {
  await using setup = await passkeySetup()
  const AccessToken = await setup.signIn()
  expect(await setup.begin('ann', {})).toMatchObject({
    ChallengeName: 'SELECT_CHALLENGE',
    AvailableChallenges: ['PASSWORD', 'PASSWORD_SRP'],
  })
  const { CredentialCreationOptions: options } = await setup.client.startWebAuthnRegistration({ AccessToken })
  expect(options).toMatchObject({
    rp: { id: 'localhost', name: 'staff' },
    user: { name: 'ann', id: Buffer.from(decodeJwt(AccessToken).sub!).toString('base64url') },
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  })
  const { id } = await setup.add(AccessToken)
  const begun = await setup.begin('ann', {})
  expect(begun.AvailableChallenges).toEqual(['PASSWORD', 'PASSWORD_SRP', 'WEB_AUTHN'])
  const asked = await setup.client.respondToAuthChallenge({
    ClientId,
    ChallengeName: 'SELECT_CHALLENGE',
    Session: begun.Session,
    ChallengeResponses: { USERNAME: 'ann', ANSWER: 'WEB_AUTHN' },
  })
  expect(asked.ChallengeName).toBe('WEB_AUTHN')
  const request = JSON.parse(asked.ChallengeParameters!.CREDENTIAL_REQUEST_OPTIONS!)
  expect(request).toMatchObject({ rpId: 'localhost', allowCredentials: [{ id, type: 'public-key' }] })
  const { AuthenticationResult } = await setup.answer(asked.Session, setup.authenticator.get(request))
  expect(decodeJwt(AuthenticationResult!.IdToken!)).toMatchObject({ 'cognito:username': 'ann' })
  expect(await setup.use()).toHaveProperty('AuthenticationResult')

  expect(await setup.client.getUserAuthFactors({ AccessToken })).toMatchObject({
    ConfiguredUserAuthFactors: ['PASSWORD', 'WEB_AUTHN'],
  })
  expect((await setup.client.listWebAuthnCredentials({ AccessToken })).Credentials).toMatchObject([
    {
      CredentialId: id,
      RelyingPartyId: 'localhost',
      FriendlyCredentialName: 'Passkey',
      AuthenticatorAttachment: 'platform',
      AuthenticatorTransports: ['internal', 'hybrid'],
      CreatedAt: expect.any(Date),
    },
  ])
  await setup.client.deleteWebAuthnCredential({ AccessToken, CredentialId: id })
  await expect(
    setup.client.deleteWebAuthnCredential({ AccessToken, CredentialId: id }),
  ).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  expect((await setup.client.listWebAuthnCredentials({ AccessToken })).Credentials).toEqual([])
  expect((await setup.begin()).ChallengeName).toBe('SELECT_CHALLENGE')
})

it('passkeys are listed in pages, and a user can have at most twenty passkeys', async () => {
  await using setup = await passkeySetup()
  const AccessToken = await setup.signIn()
  for (let count = 0; count < 20; count++) await setup.add(AccessToken)
  await expect(setup.client.startWebAuthnRegistration({ AccessToken })).rejects.toMatchObject({
    name: 'LimitExceededException',
  })
  const { Credentials: some, NextToken } = await setup.client.listWebAuthnCredentials({
    AccessToken,
    MaxResults: 12,
  })
  const { Credentials: rest, NextToken: end } = await setup.client.listWebAuthnCredentials({
    AccessToken,
    NextToken,
  })
  expect(new Set([...some!, ...rest!].map(({ CredentialId }) => CredentialId)).size).toBe(20)
  expect(end).toBeUndefined()
})

describe('the registration of a passkey', () => {
  const cases: readonly (readonly [what: string, behaviour: Behaviour, name: string])[] = [
    ['for another challenge', { challenge: 'AAAA' }, 'WebAuthnCredentialNotSupportedException'],
    ['for another relying party', { rpId: 'evil.example' }, 'WebAuthnCredentialNotSupportedException'],
    ['on another site', { origin: 'https://evil.example' }, 'WebAuthnOriginNotAllowedException'],
    ['in a frame of another site', { crossOrigin: true }, 'WebAuthnOriginNotAllowedException'],
    ['with the answer to a sign-in', { type: 'webauthn.get' }, 'WebAuthnCredentialNotSupportedException'],
  ]
  it.each(cases)('fails %s, and uses up the challenge', async (_what, behaviour, name) => {
    await using setup = await passkeySetup()
    const AccessToken = await setup.signIn()
    const { CredentialCreationOptions: options } = await setup.client.startWebAuthnRegistration({
      AccessToken,
    })
    const complete = (more: Behaviour) =>
      setup.client.completeWebAuthnRegistration({
        AccessToken,
        Credential: setup.authenticator.create(options as never, more),
      })
    await expect(complete(behaviour)).rejects.toMatchObject({ name })
    await expect(complete({})).rejects.toMatchObject({ name: 'WebAuthnChallengeNotFoundException' })
    expect((await setup.client.listWebAuthnCredentials({ AccessToken })).Credentials).toEqual([])
  })

  it('works only once, only for the client and user that started it, and only in a pool with passkeys', async () => {
    await using setup = await passkeySetup()
    const AccessToken = await setup.signIn()
    const { CredentialCreationOptions: options } = await setup.client.startWebAuthnRegistration({
      AccessToken,
    })
    const Credential = setup.authenticator.create(options as never)
    const complete = (token: string) =>
      setup.client.completeWebAuthnRegistration({ AccessToken: token, Credential })
    await expect(complete(await setup.signIn('ann', 'app'))).rejects.toMatchObject({
      name: 'WebAuthnClientMismatchException',
    })
    await expect(complete(await setup.signIn('bob'))).rejects.toMatchObject({
      name: 'WebAuthnChallengeNotFoundException',
    })
    await complete(AccessToken)
    await expect(complete(AccessToken)).rejects.toMatchObject({ name: 'WebAuthnChallengeNotFoundException' })
    await using without = await passkeySetup({ firstFactors: ['password'] })
    await expect(
      without.client.startWebAuthnRegistration({ AccessToken: await without.signIn() }),
    ).rejects.toMatchObject({ name: 'WebAuthnNotEnabledException' })
  })

  it('fails for an answer that is not a credential', async () => {
    await using setup = await passkeySetup()
    const AccessToken = await setup.signIn()
    for (const Credential of [{}, { id: 'x', rawId: 'x', type: 'public-key', response: {} }])
      await expect(
        setup.client.completeWebAuthnRegistration({ AccessToken, Credential }),
      ).rejects.toMatchObject({ name: 'InvalidParameterException' })
    for (const attestationObject of ['', 'AAAA', 'oA'])
      await expect(
        (async () => {
          const { CredentialCreationOptions } = await setup.client.startWebAuthnRegistration({ AccessToken })
          const made = setup.authenticator.create(CredentialCreationOptions as never)
          const Credential = { ...made, response: { ...made.response, attestationObject } }
          await setup.client.completeWebAuthnRegistration({ AccessToken, Credential })
        })(),
      ).rejects.toMatchObject({ name: 'InvalidParameterException' })
  })
})

describe('a sign-in with a passkey', () => {
  const cases: readonly (readonly [what: string, behaviour: Behaviour])[] = [
    ['for another challenge', { challenge: 'AAAA' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['on another site', { origin: 'https://localhost.evil.example' }],
    ['on another machine’s page without TLS', { origin: 'http://example.com' }],
    ['in a frame of another site', { crossOrigin: true }],
    ['with the answer to a registration', { type: 'webauthn.create' }],
    ['for another user handle', { userHandle: 'AAAA' }],
    ['with a signature count that has not increased', { counter: 1 }],
  ]
  it.each(cases)('fails %s, and uses up the session', async (_what, behaviour) => {
    await using setup = await passkeySetup()
    await setup.add(await setup.signIn(), { counter: 1 })
    const { Session, ChallengeParameters } = await setup.begin()
    const options = JSON.parse(ChallengeParameters!.CREDENTIAL_REQUEST_OPTIONS!)
    await expect(setup.answer(Session, setup.authenticator.get(options, behaviour))).rejects.toMatchObject(
      refused,
    )
    await expect(
      setup.answer(Session, setup.authenticator.get(options, { counter: 9 })),
    ).rejects.toMatchObject({ message: 'Invalid session for the user, session can only be used once.' })
    expect(await setup.use({ counter: 10 })).toHaveProperty('AuthenticationResult')
  })

  it('works only once, only with the user’s own passkey, and only for the client that started it', async () => {
    await using setup = await passkeySetup()
    const own = await setup.add(await setup.signIn())
    const other = await setup.add(await setup.signIn('bob'))
    await expect(setup.use({ credential: other.id })).rejects.toMatchObject(refused)
    const { Session, ChallengeParameters } = await setup.begin()
    const options = JSON.parse(ChallengeParameters!.CREDENTIAL_REQUEST_OPTIONS!)
    const proof = setup.authenticator.get(options)
    expect(proof.id).toBe(own.id)
    await expect(setup.answer(Session, proof, 'ann', 'app')).rejects.toMatchObject({
      message: 'Invalid session for the user, session can only be used once.',
    })
    expect(await setup.answer(Session, proof)).toHaveProperty('AuthenticationResult')
    await expect(setup.answer(Session, proof)).rejects.toMatchObject({
      message: 'Invalid session for the user, session can only be used once.',
    })
    // A signature is valid only for its own challenge.
    const again = await setup.begin()
    await expect(setup.answer(again.Session, proof)).rejects.toMatchObject(refused)
  })

  it('succeeds for only one of five simultaneous answers', async () => {
    await using setup = await passkeySetup()
    await setup.add(await setup.signIn())
    const { Session, ChallengeParameters } = await setup.begin()
    const options = JSON.parse(ChallengeParameters!.CREDENTIAL_REQUEST_OPTIONS!)
    const proof = setup.authenticator.get(options)
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => setup.answer(Session, proof)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('fails if the browser’s answer is not a credential', async () => {
    await using setup = await passkeySetup()
    await setup.add(await setup.signIn())
    const { Session } = await setup.begin()
    await expect(setup.answer(Session, { id: 'x' })).rejects.toMatchObject({
      name: 'InvalidParameterException',
    })
  })
})

it('the passkey challenge for an unknown name always contains the same credential id', async () => {
  await using setup = await passkeySetup()
  await setup.add(await setup.signIn())
  // Some accounts have no passkey, so some unknown names must seem to have none.
  const offered = new Map<boolean, string>()
  for (let number = 0; number < 20; number++) {
    const { AvailableChallenges } = await setup.begin(`ghost${number}`, {})
    offered.set(AvailableChallenges!.includes('WEB_AUTHN'), `ghost${number}`)
  }
  expect(offered.size).toBe(2)
  const name = offered.get(true)!
  const optionsOf = async (name: string) =>
    JSON.parse((await setup.begin(name)).ChallengeParameters!.CREDENTIAL_REQUEST_OPTIONS!)
  const ghost = await optionsOf(name)
  expect(Object.keys(ghost)).toEqual(Object.keys(await optionsOf('ann')))
  expect(ghost.allowCredentials).toEqual((await optionsOf(name.toUpperCase())).allowCredentials)
  await expect(setup.use({}, name)).rejects.toMatchObject(refused)
})

it('unknown names that seem to have passkeys have one or two, from different authenticators', async () => {
  await using setup = await passkeySetup()
  const seen = new Map<string, number>()
  const counts = new Map<number, number>()
  const ids = new Set<string>()
  for (let number = 0; number < 120; number++) {
    const { ChallengeName, ChallengeParameters } = await setup.begin(`ghost${number}`)
    if (ChallengeName !== 'WEB_AUTHN') continue
    const { allowCredentials } = JSON.parse(ChallengeParameters!.CREDENTIAL_REQUEST_OPTIONS!)
    counts.set(allowCredentials.length, (counts.get(allowCredentials.length) ?? 0) + 1)
    for (const { id, transports } of allowCredentials) {
      const kind = `${Buffer.from(id, 'base64url').length} ${transports}`
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
      ids.add(id)
    }
  }
  expect([...seen.keys()].sort()).toEqual([
    '16 hybrid,internal',
    '20 hybrid,internal',
    '32 hybrid,internal',
    '32 internal',
    '48 nfc,usb',
    '64 usb',
  ])
  expect([...counts.keys()].sort()).toEqual([1, 2])
  expect(counts.get(1)).toBeGreaterThan(counts.get(2)!)
  // No two names share a passkey.
  expect(ids.size).toBe([...seen.values()].reduce((sum, count) => sum + count))
})

it('a pool that requires user verification refuses a passkey that does not verify its user', async () => {
  await using setup = await passkeySetup({
    passkeys: { relyingParty: 'example.com', userVerification: 'required' },
  })
  const AccessToken = await setup.signIn()
  const origin = 'https://login.example.com'
  await expect(setup.add(AccessToken, { origin, verifies: false })).rejects.toMatchObject({
    name: 'WebAuthnCredentialNotSupportedException',
  })
  await setup.add(AccessToken, { origin })
  await expect(setup.use({ origin, verifies: false })).rejects.toMatchObject(refused)
  await expect(setup.use({ origin: 'https://notexample.com' })).rejects.toMatchObject(refused)
  expect(await setup.use({ origin })).toHaveProperty('AuthenticationResult')
})

describe('a user with a second factor', () => {
  async function withTotp(pool: Partial<UserPoolConfig>) {
    const setup = await passkeySetup({ mfa: { mode: 'optional' }, ...pool })
    const AccessToken = await setup.signIn()
    await setup.add(AccessToken)
    const { SecretCode } = await setup.client.associateSoftwareToken({ AccessToken })
    await setup.client.verifySoftwareToken({ AccessToken, UserCode: totpAt(SecretCode!, Date.now()) })
    await setup.client.setUserMFAPreference({ AccessToken, SoftwareTokenMfaSettings: { Enabled: true } })
    return setup
  }

  it('cannot start with a passkey if the pool counts passkeys as one factor', async () => {
    await using setup = await withTotp({})
    expect(await setup.begin()).toMatchObject({
      ChallengeName: 'SELECT_CHALLENGE',
      AvailableChallenges: ['PASSWORD', 'PASSWORD_SRP'],
    })
  })

  it('needs only a passkey if the pool counts passkeys with user verification as both factors', async () => {
    await using setup = await withTotp({ passkeys: { bothFactors: true } })
    const { ChallengeName, ChallengeParameters } = await setup.begin()
    expect(ChallengeName).toBe('WEB_AUTHN')
    expect(JSON.parse(ChallengeParameters!.CREDENTIAL_REQUEST_OPTIONS!)).toMatchObject({
      userVerification: 'required',
    })
    await expect(setup.use({ verifies: false })).rejects.toMatchObject(refused)
    expect(await setup.use()).toHaveProperty('AuthenticationResult')
  })
})

it('a pool created through the API uses the passkey settings from SetUserPoolMfaConfig', async () => {
  await using setup = await passkeySetup()
  const { client } = setup
  const { UserPool } = await client.createUserPool({
    PoolName: 'made',
    Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'WEB_AUTHN'] } },
  })
  const UserPoolId = UserPool!.Id!
  const WebAuthnConfiguration = { RelyingPartyId: 'example.com', UserVerification: 'required' } as const
  await client.setUserPoolMfaConfig({ UserPoolId, WebAuthnConfiguration, MfaConfiguration: 'OFF' })
  expect(await client.getUserPoolMfaConfig({ UserPoolId })).toMatchObject({ WebAuthnConfiguration })
  const { UserPoolClient } = await client.createUserPoolClient({ UserPoolId, ClientName: 'any' })
  const id = UserPoolClient!.ClientId!
  await client.adminCreateUser({ UserPoolId, Username: 'eve', MessageAction: 'SUPPRESS' })
  await client.adminSetUserPassword({ UserPoolId, Username: 'eve', Password, Permanent: true })
  await setup.add(await setup.signIn('eve', id), { origin: 'https://example.com' })
  const { Session, ChallengeParameters } = await setup.begin('eve', undefined, id)
  const options = JSON.parse(ChallengeParameters!.CREDENTIAL_REQUEST_OPTIONS!)
  const proof = setup.authenticator.get(options, { origin: 'https://example.com' })
  expect(await setup.answer(Session, proof, 'eve', id)).toHaveProperty('AuthenticationResult')
})
