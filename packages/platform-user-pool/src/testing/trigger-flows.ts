import { createHash } from 'node:crypto'
import { systemRandom } from '@signalbox/platform-runtime'
import type { Source } from '@signalbox/user-pool/contract'
import type { ClientConfig } from '../config/client-config.ts'
import type { UserPoolConfig } from '../config/user-pool-config.ts'
import { federatedUser } from '../federation/federated-user.ts'
import { signInByPassword } from '../flows/sign-in/password-sign-in.ts'
import { newAuthorizationCode, redeemCode } from '../oidc/authorization-codes.ts'
import { readAuthorizationRequest } from '../oidc/authorization-request.ts'
import { srpClient } from '../srp/srp-client.ts'
import { makeVerifier } from '../srp/verifier.ts'
import { machineToken } from '../tokens/machine-token.ts'
import { type Answers, clientId as ClientId, type poolSetup, poolId as UserPoolId } from './pool-setup.ts'

type Setup = Awaited<ReturnType<typeof poolSetup>>

/** A flow that calls a trigger source. */
interface TriggerFlow {
  /** Runs the flow. Sources with the same function are taken for one flow that calls them all. */
  readonly run: (setup: Setup) => Promise<unknown>
  /** The function's responses to other trigger sources in the same flow. */
  readonly answers?: Answers
  readonly pool?: Partial<UserPoolConfig>
  readonly client?: ClientConfig
  readonly version?: 3
}

const email = [{ Name: 'email', Value: 'bob@example.com' }]
const phone = [{ Name: 'phone_number', Value: '+4930123456' }]
const bob = { ClientId, Username: 'bob' }
const invited = { UserPoolId, Username: 'bob' }

const signUp = (setup: Setup, UserAttributes: readonly object[] = email) =>
  setup.call('SignUp', { ...bob, Password: setup.password, UserAttributes })

/** Signs a user up, confirms the account and signs in. Resolves to the access token. */
async function signedIn(setup: Setup, UserAttributes: readonly object[] = email): Promise<string> {
  await signUp(setup, UserAttributes)
  await setup.engine.settled()
  await setup.call('ConfirmSignUp', { ...bob, ConfirmationCode: await setup.code() })
  return (await setup.signIn('bob')).AuthenticationResult.AccessToken
}

async function forgotten(setup: Setup, UserAttributes: readonly object[] = email): Promise<void> {
  await signedIn(setup, UserAttributes)
  await setup.call('ForgotPassword', bob)
  await setup.engine.settled()
}

/** Returns the flows that send messages, by the purpose of the message. */
function sending(
  UserAttributes: readonly { readonly Name: string; readonly Value: string }[],
  other: string,
) {
  const AttributeName = UserAttributes[0]!.Name
  return {
    SignUp: (setup: Setup) => signUp(setup, UserAttributes),
    async ResendCode(setup: Setup) {
      await signUp(setup, UserAttributes)
      await setup.call('ResendConfirmationCode', bob)
    },
    ForgotPassword: (setup: Setup) => forgotten(setup, UserAttributes),
    async UpdateUserAttribute(setup: Setup) {
      const AccessToken = await signedIn(setup, UserAttributes)
      const changed = [{ Name: AttributeName, Value: other }]
      await setup.call('UpdateUserAttributes', { AccessToken, UserAttributes: changed })
    },
    async VerifyUserAttribute(setup: Setup) {
      const AccessToken = await signedIn(setup, UserAttributes)
      await setup.call('GetUserAttributeVerificationCode', { AccessToken, AttributeName })
    },
    AdminCreateUser: (setup: Setup) => setup.call('AdminCreateUser', { ...invited, UserAttributes }),
  }
}

const byEmail = sending(email, 'new@example.com')
const byPhone = sending(phone, '+4930654321')
const verifyPhone = { verify: ['phone'] } as const

const migrated = () => ({
  userAttributes: { email: 'bob@example.com', email_verified: 'true' },
  finalUserStatus: 'CONFIRMED',
})

const question: Answers = {
  DefineAuthChallenge_Authentication: ({ request }) =>
    (request.session as readonly object[]).length === 0
      ? { challengeName: 'CUSTOM_CHALLENGE', issueTokens: false, failAuthentication: false }
      : { issueTokens: true, failAuthentication: false },
  CreateAuthChallenge_Authentication: () => ({
    publicChallengeParameters: { question: 'name of the cat' },
    privateChallengeParameters: { answer: 'Tom-the-cat' },
  }),
  VerifyAuthChallengeResponse_Authentication: () => ({ answerCorrect: true }),
}

const custom: TriggerFlow = {
  answers: question,
  async run(setup) {
    await signedIn(setup)
    const { Session } = await setup.call('InitiateAuth', {
      ClientId,
      AuthFlow: 'CUSTOM_AUTH',
      AuthParameters: { USERNAME: 'bob' },
    })
    return setup.call('RespondToAuthChallenge', {
      ClientId,
      ChallengeName: 'CUSTOM_CHALLENGE',
      Session,
      ChallengeResponses: { USERNAME: 'bob', ANSWER: 'Tom-the-cat' },
    })
  },
}

const signIn: TriggerFlow = { run: signedIn }

/** Returns the flow of a sign-in with a code that is sent. */
function secondFactor(
  factor: 'email' | 'sms',
  UserAttributes: readonly object[],
  more: Partial<UserPoolConfig> = {},
): TriggerFlow {
  const [settings, challenge, answer] =
    factor === 'email'
      ? ['EmailMfaSettings', 'EMAIL_OTP', 'EMAIL_OTP_CODE']
      : ['SMSMfaSettings', 'SMS_MFA', 'SMS_MFA_CODE']
  return {
    pool: { ...more, mfa: { mode: 'optional', by: [factor] } },
    async run(setup) {
      await signedIn(setup, UserAttributes)
      await setup.call('AdminSetUserMFAPreference', { ...invited, [settings]: { Enabled: true } })
      const { Session } = await setup.signIn('bob')
      await setup.call('RespondToAuthChallenge', {
        ClientId,
        ChallengeName: challenge,
        Session,
        ChallengeResponses: { USERNAME: 'bob', [answer]: await setup.code() },
      })
    },
  }
}

const codeByEmail = secondFactor('email', email)

const devicePassword = 'secret of the device'

/** The flow of a sign-in on a remembered device. */
const onDevice: TriggerFlow = {
  pool: { devices: 'always' },
  async run(setup) {
    await signedIn(setup)
    const { AccessToken, NewDeviceMetadata } = (await setup.signIn('bob')).AuthenticationResult
    const { DeviceKey, DeviceGroupKey } = NewDeviceMetadata
    const owner = { poolName: DeviceGroupKey, userName: DeviceKey }
    const { salt, verifier } = makeVerifier(owner, devicePassword, systemRandom)
    await setup.call('ConfirmDevice', {
      AccessToken,
      DeviceKey,
      DeviceSecretVerifierConfig: { Salt: base64(salt), PasswordVerifier: base64(verifier) },
    })
    const half = srpClient(`group_${DeviceGroupKey}`, devicePassword)
    const answer = (ChallengeName: string, Session: string, more: object) =>
      setup.call('RespondToAuthChallenge', {
        ClientId,
        ChallengeName,
        Session,
        ChallengeResponses: { ...more, USERNAME: 'bob', DEVICE_KEY: DeviceKey },
      })
    const { Session } = await setup.call('InitiateAuth', {
      ClientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: 'bob', PASSWORD: setup.password, DEVICE_KEY: DeviceKey },
    })
    const begun = await answer('DEVICE_SRP_AUTH', Session, { SRP_A: half.SRP_A })
    const proof = half.prove({ ...begun.ChallengeParameters, USER_ID_FOR_SRP: DeviceKey })
    await answer('DEVICE_PASSWORD_VERIFIER', begun.Session, proof)
  },
}

function base64(hex: string): string {
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64')
}

const callback = 'http://localhost:3000/cb'
const hostedClient = { callbacks: [callback] }

/** Signs in on a hosted page, and exchanges the authorization code for tokens. */
async function onHostedPage(setup: Setup): Promise<unknown> {
  const { engine } = setup
  await signUp(setup)
  await engine.settled()
  await setup.call('ConfirmSignUp', { ...bob, ConfirmationCode: await setup.code() })
  const caller = { ...engine.clientCaller(ClientId, 'test'), isHosted: true }
  const verifier = 'v'.repeat(43)
  const request = await readAuthorizationRequest(
    engine,
    caller.pool,
    new URLSearchParams({
      client_id: ClientId,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'openid',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
  )
  const result = await signInByPassword(engine, caller, 'bob', setup.password, {})
  if (!('browser' in result)) throw new Error('The sign-in goes on.')
  const code = await newAuthorizationCode(engine, caller, request, result.browser)
  return redeemCode(engine, caller, code, callback, verifier, [])
}

/** The flow of a sign-in through an external provider. */
const federated: TriggerFlow = {
  client: hostedClient,
  pool: { identityProviders: { Login: { issuer: 'https://login.example', clientId: 'pool' } } },
  run({ engine }) {
    const caller = { ...engine.clientCaller(ClientId, 'test'), isHosted: true }
    const idToken = { sub: 'b0b', email: 'bob@example.com' }
    return federatedUser(engine, caller, caller.pool.identityProviders[0]!, {
      tokenResponse: { token_type: 'bearer' },
      idToken,
      userInfo: undefined,
    })
  },
}

/** A flow for each trigger source of the contract. */
export const triggerFlows: { readonly [S in Source]: TriggerFlow } = {
  PreSignUp_SignUp: { run: byEmail.SignUp },
  PreSignUp_AdminCreateUser: { run: byEmail.AdminCreateUser },
  PreSignUp_ExternalProvider: federated,
  PostConfirmation_ConfirmSignUp: { run: signedIn },
  PostConfirmation_ConfirmForgotPassword: {
    async run(setup) {
      await forgotten(setup)
      const ConfirmationCode = await setup.code()
      await setup.call('ConfirmForgotPassword', { ...bob, ConfirmationCode, Password: 'Other-7even' })
    },
  },
  UserMigration_Authentication: {
    answers: { UserMigration_Authentication: migrated },
    run: setup => setup.signIn('bob'),
  },
  UserMigration_ForgotPassword: {
    answers: { UserMigration_ForgotPassword: migrated },
    run: setup => setup.call('ForgotPassword', bob),
  },
  InboundFederation_ExternalProvider: {
    ...federated,
    answers: {
      InboundFederation_ExternalProvider: () => ({ userAttributesToMap: { email: 'bob@example.com' } }),
    },
  },
  PreAuthentication_Authentication: signIn,
  DefineAuthChallenge_Authentication: custom,
  CreateAuthChallenge_Authentication: custom,
  VerifyAuthChallengeResponse_Authentication: custom,
  TokenGeneration_HostedAuth: { run: onHostedPage, client: hostedClient },
  TokenGeneration_Authentication: signIn,
  TokenGeneration_NewPasswordChallenge: {
    async run(setup) {
      await setup.call('AdminCreateUser', { ...invited, TemporaryPassword: 'First-7even' })
      const { Session } = await setup.signIn('bob', 'First-7even')
      await setup.call('RespondToAuthChallenge', {
        ClientId,
        ChallengeName: 'NEW_PASSWORD_REQUIRED',
        Session,
        ChallengeResponses: { USERNAME: 'bob', NEW_PASSWORD: setup.password },
      })
    },
  },
  TokenGeneration_AuthenticateDevice: onDevice,
  TokenGeneration_RefreshTokens: {
    async run(setup) {
      await signedIn(setup)
      const { AuthenticationResult } = await setup.signIn('bob')
      const { RefreshToken } = AuthenticationResult
      return setup.call('GetTokensFromRefreshToken', { ClientId, RefreshToken })
    },
  },
  TokenGeneration_ClientCredentials: {
    version: 3,
    client: { secret: true, grants: ['client_credentials'], scopes: ['orders/read'] },
    pool: { resourceServers: { orders: { scopes: { read: 'Read orders' } } } },
    run: ({ engine }) => machineToken(engine, engine.clientCaller(ClientId, 'test'), ['orders/read'], {}),
  },
  PostAuthentication_Authentication: signIn,
  CustomMessage_SignUp: { run: byEmail.SignUp },
  CustomMessage_AdminCreateUser: { run: byEmail.AdminCreateUser },
  CustomMessage_ResendCode: { run: byEmail.ResendCode },
  CustomMessage_ForgotPassword: { run: byEmail.ForgotPassword },
  CustomMessage_UpdateUserAttribute: { run: byEmail.UpdateUserAttribute },
  CustomMessage_VerifyUserAttribute: { run: byEmail.VerifyUserAttribute },
  CustomMessage_Authentication: codeByEmail,
  CustomEmailSender_SignUp: { run: byEmail.SignUp },
  CustomEmailSender_AdminCreateUser: { run: byEmail.AdminCreateUser },
  CustomEmailSender_ResendCode: { run: byEmail.ResendCode },
  CustomEmailSender_ForgotPassword: { run: byEmail.ForgotPassword },
  CustomEmailSender_UpdateUserAttribute: { run: byEmail.UpdateUserAttribute },
  CustomEmailSender_VerifyUserAttribute: { run: byEmail.VerifyUserAttribute },
  CustomEmailSender_Authentication: codeByEmail,
  CustomEmailSender_AccountTakeOverNotification: {
    pool: { takeover: {} },
    async run(setup) {
      await signedIn(setup)
      for (let guess = 1; guess <= 5; guess++) await setup.signIn('bob', `Wrong-${guess}`).catch(() => {})
      await setup.engine.settled()
    },
  },
  CustomSMSSender_SignUp: { run: byPhone.SignUp, pool: verifyPhone },
  CustomSMSSender_AdminCreateUser: { run: byPhone.AdminCreateUser, pool: verifyPhone },
  CustomSMSSender_ResendCode: { run: byPhone.ResendCode, pool: verifyPhone },
  CustomSMSSender_ForgotPassword: { run: byPhone.ForgotPassword, pool: verifyPhone },
  CustomSMSSender_UpdateUserAttribute: { run: byPhone.UpdateUserAttribute, pool: verifyPhone },
  CustomSMSSender_VerifyUserAttribute: { run: byPhone.VerifyUserAttribute, pool: verifyPhone },
  CustomSMSSender_Authentication: secondFactor('sms', phone, verifyPhone),
}
