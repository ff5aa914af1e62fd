import { afterAll, describe, expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import { hostedSetup } from './testing/hosted-setup.ts'
import { incorrect, newId, oldId, openMigration, password } from './testing/migration-setup.ts'

const migration = await openMigration()
const { migrateFrom, newName, newPool, old } = migration
afterAll(() => migration[Symbol.asyncDispose]())

describe('a pool with migrateFrom', () => {
  it('takes over a user at the first sign-in, with attributes, groups and sub, and asks never again', async () => {
    const name = newName()
    const email = `${name}@example.com`
    const attributes = { email, email_verified: 'true', given_name: 'Ann', 'custom:tenant': 'north' }
    const sub = await old.add(name, attributes, ['readers', 'admins'])
    await using setup = await newPool()
    const { AuthenticationResult } = await setup.signIn(name)
    expect(decodeJwt(AuthenticationResult!.IdToken!)).toMatchObject({
      ...{ sub, 'cognito:username': name, 'cognito:groups': ['admins', 'readers'] },
      ...{ email, email_verified: true, given_name: 'Ann', 'custom:tenant': 'north' },
    })
    // From now on, the old pool is not asked, and all flows work.
    await old.api.adminSetUserPassword({
      ...{ UserPoolId: oldId, Username: name, Password: 'Other-7even', Permanent: true },
    })
    expect((await setup.srp(name)).AuthenticationResult).toBeDefined()
    expect((await setup.signIn(email)).AuthenticationResult).toBeDefined()
    await expect(setup.signIn(name, 'Other-7even')).rejects.toMatchObject(incorrect)
    expect(await setup.users()).toHaveLength(1)
    expect(setup.notices).toEqual([])
  })

  it('takes over a user who signs in with the address that the old pool knows', async () => {
    const name = newName()
    const email = `${name}@example.com`
    const sub = await old.add(name, { email, email_verified: 'true' })
    await using setup = await newPool()
    await setup.signIn(email)
    const user = await setup.api.adminGetUser({ UserPoolId: newId, Username: name })
    expect(user.UserAttributes).toContainEqual({ Name: 'sub', Value: sub })
    await using nameless = await newPool({ signIn: ['email'] })
    await nameless.signIn(email.toUpperCase())
    expect(await nameless.users()).toMatchObject([{ name: sub }])
  })

  it('takes over a user who chooses PASSWORD, and one who signs in on the hosted pages', async () => {
    const [ann, bob] = [newName(), newName()]
    await old.add(ann)
    await old.add(bob)
    await using setup = await newPool()
    const { AuthenticationResult } = await setup.api.initiateAuth({
      ClientId: 'web',
      AuthFlow: 'USER_AUTH',
      AuthParameters: { USERNAME: ann, PASSWORD: password, PREFERRED_CHALLENGE: 'PASSWORD' },
    })
    expect(AuthenticationResult?.AccessToken).toBeDefined()
    await using hosted = await hostedSetup({ pool: { signUp: false, migrateFrom: migrateFrom() } })
    const { address } = await hosted.ask()
    expect((await hosted.signIn(address, bob)).url).toMatch(/^http:\/\/localhost:3000\/cb\?code=/)
  })

  it('takes over a user once, when several sign-ins come at the same time', async () => {
    const name = newName()
    await old.add(name)
    await using setup = await newPool()
    const all = await Promise.all([1, 2, 3, 4].map(() => setup.signIn(name)))
    for (const { AuthenticationResult } of all) expect(AuthenticationResult?.AccessToken).toBeDefined()
    expect(await setup.users()).toHaveLength(1)
  })

  it('does not take over a user again who was deleted here', async () => {
    const name = newName()
    await old.add(name)
    await using setup = await newPool()
    const { AuthenticationResult } = await setup.signIn(name)
    await setup.api.deleteUser({ AccessToken: AuthenticationResult!.AccessToken! })
    await expect(setup.signIn(name)).rejects.toMatchObject(incorrect)
    expect(await setup.users()).toEqual([])
  })

  it('sends the hash of the secret that the client of the old pool has', async () => {
    const name = newName()
    await old.add(name)
    await using setup = await newPool({}, { client: 'secret', clientSecret: 'aSecretOfTheOldPool123456789' })
    expect((await setup.signIn(name)).AuthenticationResult).toBeDefined()
  })

  it('keeps an account that is here, whatever password the old pool has for its name', async () => {
    const name = newName()
    const email = `${name}@example.com`
    await old.add(name, { email, email_verified: 'true' })
    await using setup = await newPool({ signIn: ['name'] })
    const who = { UserPoolId: newId, Username: name }
    await setup.api.adminCreateUser({ ...who, MessageAction: 'SUPPRESS' })
    await setup.api.adminSetUserPassword({ ...who, Password: 'Mine-7even', Permanent: true })
    await expect(setup.signIn(name)).rejects.toMatchObject(incorrect)
    // The old pool would sign this user in by an address which is no name here.
    await expect(setup.signIn(email)).rejects.toMatchObject(incorrect)
    expect((await setup.signIn(name, 'Mine-7even')).AuthenticationResult).toBeDefined()
  })

  it('says what it has lost of an account, once', async () => {
    const [ann, bob] = [newName(), newName()]
    for (const name of [ann, bob]) await old.add(name, { 'custom:seats': '3' }, ['legacy'])
    await using setup = await newPool()
    await setup.signIn(ann)
    await setup.signIn(bob)
    const moved = `A user has moved from the user pool ${oldId} to staff without`
    expect(setup.notices).toEqual([
      `${moved} the attribute custom:seats, which staff does not have.`,
      `${moved} the group legacy, which staff does not have.`,
    ])
  })
})
