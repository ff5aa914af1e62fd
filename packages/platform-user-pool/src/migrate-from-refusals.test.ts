import { afterAll, describe, expect, it } from '@jest/globals'
import type { UserPoolConfig } from './config/user-pool-config.ts'
import { cannotMove, incorrect, newId, oldId, openMigration, password } from './testing/migration-setup.ts'

const migration = await openMigration()
const { newName, newPool, old } = migration
afterAll(() => migration[Symbol.asyncDispose]())

describe('refuses, and makes no account for', () => {
  it('a wrong password, and locks the name after five', async () => {
    const name = newName()
    await old.add(name)
    await using setup = await newPool()
    for (const client of ['web', 'shown', 'web', 'shown', 'web'])
      await expect(setup.signIn(name, 'Wrong-7even', client)).rejects.toMatchObject(incorrect)
    const lockedOut = { name: 'NotAuthorizedException', message: 'Password attempts exceeded' }
    await expect(setup.signIn(name)).rejects.toMatchObject(lockedOut)
    await expect(setup.signIn(name, password, 'shown')).rejects.toMatchObject(lockedOut)
    expect(await setup.users()).toEqual([])
    expect(setup.notices).toEqual([])
  })

  it('a name that neither pool has, in the words of the client', async () => {
    await using setup = await newPool()
    await expect(setup.signIn('nobody')).rejects.toMatchObject(incorrect)
    await using shown = await newPool({}, { client: 'shown' })
    await expect(shown.signIn('nobody', password, 'shown')).rejects.toMatchObject({
      name: 'UserNotFoundException',
      message: 'User does not exist.',
    })
    // The service takes no such names.
    await expect(shown.signIn('no body', password, 'shown')).rejects.toMatchObject({
      name: 'UserNotFoundException',
    })
    expect(shown.notices).toEqual([])
  })

  it('a disabled user', async () => {
    const name = newName()
    await old.add(name)
    await old.api.adminDisableUser({ UserPoolId: oldId, Username: name })
    await using setup = await newPool()
    await expect(setup.signIn(name)).rejects.toMatchObject(incorrect)
    await expect(setup.signIn(name, password, 'shown')).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'The account is refused where it is: User is disabled.',
    })
    expect(await setup.users()).toEqual([])
  })

  it('a user with a second factor', async () => {
    const name = newName()
    await old.add(name, { phone_number: '+15550100', phone_number_verified: 'true' })
    await old.api.adminSetUserMFAPreference({
      ...{ UserPoolId: oldId, Username: name },
      SMSMfaSettings: { Enabled: true, PreferredMfa: true },
    })
    await using setup = await newPool()
    await expect(setup.signIn(name)).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'This account has a second factor where it is, and cannot move here by its password alone.',
    })
    expect(await setup.users()).toEqual([])
    expect(setup.notices).toEqual([
      `A user could not move from the user pool ${oldId} to staff, because ${oldId} asks for more than the password: SMS_MFA.`,
    ])
  })

  it('a user with a temporary password, and one who has to reset the password', async () => {
    const [ann, bob] = [newName(), newName()]
    await old.api.adminCreateUser({
      ...{ UserPoolId: oldId, Username: ann, MessageAction: 'SUPPRESS' },
      TemporaryPassword: password,
    })
    await old.add(bob, { email: `${bob}@example.com`, email_verified: 'true' })
    await old.api.adminResetUserPassword({ UserPoolId: oldId, Username: bob })
    await using setup = await newPool()
    await expect(setup.signIn(ann)).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message:
        'This account has a temporary password. Choose a new one where the account is, and sign in here after that.',
    })
    await expect(setup.signIn(bob)).rejects.toMatchObject(incorrect)
    await expect(setup.signIn(bob, password, 'shown')).rejects.toMatchObject({
      message: 'The account is refused where it is: Password reset required for the user',
    })
    expect(await setup.users()).toEqual([])
  })

  it('SRP, which does not send the password', async () => {
    const name = newName()
    await old.add(name)
    await using setup = await newPool()
    await expect(setup.srp(name)).rejects.toMatchObject(incorrect)
    await expect(setup.srp(name, password, 'shown')).rejects.toMatchObject({
      name: 'UserNotFoundException',
      message:
        'User does not exist here. A user who comes from another pool signs in once by a flow that sends the password.',
    })
    expect(await setup.users()).toEqual([])
  })

  it('a forgotten password of a user who is only there', async () => {
    const name = newName()
    await old.add(name, { email: `${name}@example.com`, email_verified: 'true' })
    await using setup = await newPool()
    const { CodeDeliveryDetails } = await setup.api.forgotPassword({ ClientId: 'web', Username: name })
    expect(CodeDeliveryDetails?.DeliveryMedium).toBe('EMAIL')
    await expect(setup.api.forgotPassword({ ClientId: 'shown', Username: name })).rejects.toMatchObject({
      name: 'UserNotFoundException',
    })
    expect(await setup.users()).toEqual([])
  })

  it('a user whose name there is no way to sign in here', async () => {
    const name = newName()
    await old.add(name, { email: `${name}@example.com`, email_verified: 'true' })
    await using setup = await newPool({ signIn: ['name'] })
    await expect(setup.signIn(`${name}@example.com`)).rejects.toMatchObject(cannotMove)
    expect(setup.notices).toEqual([expect.stringContaining('that the signIn of staff does not allow')])
    expect(await setup.users()).toEqual([])
  })

  it('a user whose attributes the pool does not take, and says which user that is', async () => {
    const name = newName()
    const sub = await old.add(name, { 'custom:tenant': 'north' }, ['legacy'])
    await using setup = await newPool({ custom: { tenant: 'number' } })
    await expect(setup.signIn(name)).rejects.toMatchObject(cannotMove)
    // Nobody has moved, so that nothing is lost.
    expect(setup.notices).toEqual([
      `The user ${sub} could not move from the user pool ${oldId} to staff: Attribute value for custom:tenant is not a number.`,
    ])
    expect(await setup.users()).toEqual([])
  })

  it('a user whose address another account has', async () => {
    const name = newName()
    const email = `${name}@example.com`
    await old.add(name, { email, email_verified: 'true' })
    await using setup = await newPool()
    const UserAttributes = [
      { Name: 'email', Value: email },
      { Name: 'email_verified', Value: 'true' },
    ]
    const who = { UserPoolId: newId, Username: 'other', MessageAction: 'SUPPRESS' as const }
    await setup.api.adminCreateUser({ ...who, UserAttributes })
    await expect(setup.signIn(name)).rejects.toMatchObject(cannotMove)
    expect(setup.notices).toEqual([
      expect.stringContaining('An account with the given email already exists.'),
    ])
  })

  it.each([
    ['the sub of another user', '6b1f3f0e-7a52-4c1e-9b60-000000000001', {}, 'cannot be a UUID other than'],
    ['an alias', '+15550199', { signIn: ['name', 'phone'] }, 'cannot be of phone number format'],
  ])('a user whose name looks like %s', async (_what, name, pool, reason) => {
    await old.add(name)
    await using setup = await newPool(pool as Partial<UserPoolConfig>)
    await expect(setup.signIn(name)).rejects.toMatchObject(cannotMove)
    expect(setup.notices).toEqual([expect.stringContaining(reason)])
    expect(await setup.users()).toEqual([])
  })
})
