import { expect, it } from '@jest/globals'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from '../../testing/pool-setup.ts'
import { softwareAuthenticator } from '../../testing/software-authenticator.ts'
import { totpAt } from '../factors/totp.ts'

const pool = {
  mfa: { mode: 'optional' },
  devices: 'always',
  firstFactors: ['password', 'passkey'],
} as const

type Setup = Awaited<ReturnType<typeof poolSetup>>

/** Exports a user who has an authenticator, a device and a passkey. Also returns the authenticator's secret. */
async function exported() {
  await using setup = await poolSetup({ pool })
  await setup.user()
  const { AccessToken, NewDeviceMetadata } = (await setup.signIn()).AuthenticationResult
  const { DeviceKey } = NewDeviceMetadata
  const DeviceSecretVerifierConfig = { PasswordVerifier: 'AQID', Salt: 'BAUG' }
  await setup.call('ConfirmDevice', { AccessToken, DeviceKey, DeviceSecretVerifierConfig })
  const { SecretCode } = await setup.call('AssociateSoftwareToken', { AccessToken })
  const UserCode = totpAt(SecretCode, setup.clock.now())
  await setup.call('VerifySoftwareToken', { AccessToken, UserCode, FriendlyDeviceName: 'phone' })
  const { CredentialCreationOptions } = await setup.call('StartWebAuthnRegistration', { AccessToken })
  const Credential = softwareAuthenticator('https://pools.example').create(CredentialCreationOptions)
  await setup.call('CompleteWebAuthnRegistration', { AccessToken, Credential })
  const SoftwareTokenMfaSettings = { Enabled: true, PreferredMfa: true }
  await setup.call('SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings })
  const { Users } = await setup.call('ExportUsers', { UserPoolId })
  return { ann: Users[0], SecretCode: SecretCode as string, DeviceKey, passkey: Credential.id }
}

const imported = async (setup: Setup, Users: readonly object[]) =>
  (await setup.call('ImportUsers', { UserPoolId, Users })).Results

it('an export contains encrypted authenticators, used codes, devices and passkeys, which an import restores', async () => {
  const { ann, SecretCode, DeviceKey, passkey } = await exported()
  expect(JSON.stringify(ann)).not.toContain(SecretCode)
  await using other = await poolSetup({ pool })
  expect(await imported(other, [ann])).toEqual([{ Result: 'added' }])
  const { ChallengeName, ChallengeParameters, Session } = await other.signIn()
  expect(ChallengeName).toBe('SOFTWARE_TOKEN_MFA')
  expect(ChallengeParameters).toMatchObject({ FRIENDLY_DEVICE_NAME: 'phone' })
  const answer = (time: number) => {
    const SOFTWARE_TOKEN_MFA_CODE = totpAt(SecretCode, time)
    const ChallengeResponses = { USERNAME: 'ann', SOFTWARE_TOKEN_MFA_CODE }
    return other.call('RespondToAuthChallenge', { ClientId, ChallengeName, Session, ChallengeResponses })
  }
  // This code was used before the export, when the user set up the authenticator.
  await expect(answer(other.clock.now())).rejects.toMatchObject({ type: 'ExpiredCodeException' })
  const { AccessToken } = (await answer(other.clock.now() + 30_000)).AuthenticationResult
  const { Devices } = await other.call('AdminListDevices', { UserPoolId, Username: 'ann' })
  expect(Devices).toMatchObject([{ DeviceKey }])
  const { Credentials } = await other.call('ListWebAuthnCredentials', { AccessToken })
  expect(Credentials).toMatchObject([{ CredentialId: passkey }])
})

it('an imported account whose encrypted authenticator was altered has to reset its password', async () => {
  const { ann } = await exported()
  await using other = await poolSetup({ pool })
  const factors = { ...ann.factors, totp: `${ann.factors.totp.slice(0, -6)}AAAAAA` }
  expect(await imported(other, [{ ...ann, factors }])).toEqual([{ Result: 'reset' }])
  await expect(other.signIn()).rejects.toMatchObject({ type: 'NotAuthorizedException' })
  const found = await other.call('AdminGetUser', { UserPoolId, Username: 'ann' })
  expect(found).toMatchObject({ UserStatus: 'RESET_REQUIRED' })
  expect(found).not.toHaveProperty('PreferredMfaSetting')
})

it('an import skips altered devices, altered passkeys and malformed entries for used codes', async () => {
  const { ann, SecretCode } = await exported()
  await using other = await poolSetup({ pool })
  const broken = ann.credentials.map((each: { kind: string; value: string }) => ({
    ...each,
    ...(each.kind === 'spent' ? { id: 'block' } : { value: `${each.value.slice(0, -6)}AAAAAA` }),
  }))
  expect(await imported(other, [{ ...ann, credentials: broken }])).toEqual([{ Result: 'added' }])
  const { ChallengeName, Session } = await other.signIn()
  const SOFTWARE_TOKEN_MFA_CODE = totpAt(SecretCode, other.clock.now())
  const ChallengeResponses = { USERNAME: 'ann', SOFTWARE_TOKEN_MFA_CODE }
  const answer = { ClientId, ChallengeName, Session, ChallengeResponses }
  const { AccessToken } = (await other.call('RespondToAuthChallenge', answer)).AuthenticationResult
  expect((await other.call('ListDevices', { AccessToken })).Devices).toEqual([])
  expect((await other.call('ListWebAuthnCredentials', { AccessToken })).Credentials).toEqual([])
})

it('an import refuses an account with an unknown second factor', async () => {
  const { ann } = await exported()
  await using other = await poolSetup({ pool })
  await expect(imported(other, [{ ...ann, factors: { enabled: ['voice'] } }])).rejects.toMatchObject({
    type: 'InvalidParameterException',
  })
  expect((await other.call('ListUsers', { UserPoolId })).Users).toEqual([])
})

it('a user who is there stays as they are, also without the groups of the file', async () => {
  const { ann } = await exported()
  const groups = ['admins']
  await using other = await poolSetup({ pool: { ...pool, groups: { admins: {} } } })
  const groupsOfAnn = async () =>
    (await other.call('AdminListGroupsForUser', { UserPoolId, Username: 'ann' })).Groups.length
  expect(await imported(other, [{ ...ann, groups }])).toEqual([{ Result: 'added' }])
  expect(await groupsOfAnn()).toBe(1)
  await other.call('AdminRemoveUserFromGroup', { UserPoolId, Username: 'ann', GroupName: 'admins' })
  expect(await imported(other, [{ ...ann, groups }])).toEqual([{ Result: 'there' }])
  expect(await groupsOfAnn()).toBe(0)
})

it('an import refuses user names that are taken for something else', async () => {
  await using setup = await poolSetup({ pool: { signIn: ['name', 'email'] } })
  const uuid = (number: number) => `6b1f3f0e-7a52-4c1e-9b60-00000000000${number}`
  const user = (number: number, name: string) => ({
    ...{ id: uuid(number), name, status: 'CONFIRMED', enabled: true },
    ...{ attributes: {}, created: 0, modified: 0 },
  })
  const refused = (Message: string) => ({ Result: 'refused', Message: expect.stringContaining(Message) })
  const users = [user(1, 'ann'), user(2, uuid(1)), user(3, 'b@example.com'), user(4, 'b c'), user(5, uuid(6))]
  expect(await imported(setup, users)).toEqual([
    { Result: 'added' },
    refused('The user name is the sub of another user.'),
    refused('Username cannot be of email format'),
    refused('Username should be 1 to 128 letters'),
    { Result: 'added' },
  ])
  expect(await imported(setup, [user(6, 'dora')])).toEqual([
    refused('Another user has the id as a user name.'),
  ])
  const foreign = { UserPoolId, Foreign: true, Users: [user(7, uuid(8))] }
  expect((await setup.call('ImportUsers', foreign)).Results).toEqual([
    refused('Username cannot be a UUID other than the sub of the user.'),
  ])
})

it.each([
  ['phone_number', '0301234', 'Invalid phone number format.'],
  ['custom:seats', 'three', 'is not a number'],
  ['custom:constructor', 'x', 'Attribute does not exist in the schema'],
])('an import refuses %s of another service with the value %s', async (name, value, problem) => {
  await using setup = await poolSetup({ pool: { custom: { seats: 'number' } } })
  const user = {
    ...{ id: '6b1f3f0e-7a52-4c1e-9b60-000000000001', name: 'ann', status: 'CONFIRMED', enabled: true },
    ...{ attributes: { [name]: value }, created: 0, modified: 0 },
  }
  expect((await setup.call('ImportUsers', { UserPoolId, Foreign: true, Users: [user] })).Results).toEqual([
    { Result: 'refused', Message: expect.stringContaining(problem) },
  ])
})
