import { expect, it } from '@jest/globals'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from '../testing/pool-setup.ts'
import { normalized } from './attributes.ts'

it('normalizing a user name twice gives the same result as normalizing it once', () => {
  const changed: string[] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    for (const text of [String.fromCodePoint(code), `${String.fromCodePoint(code)}\u030c`]) {
      const name = normalized(text)
      if (normalized(name) !== name) changed.push(code.toString(16))
    }
  }
  expect(changed).toEqual([])
})

it('user names are case-insensitive, even if a letter has a composed form only in lower case', async () => {
  await using setup = await poolSetup()
  await setup.user('J\u030cana')
  expect(await setup.signIn('\u01f0ana')).toHaveProperty('AuthenticationResult')
  await expect(setup.user('\u01f0ana')).rejects.toMatchObject({ type: 'UsernameExistsException' })
})

it('“constructor” and “__proto__” are valid user names, but not valid names of attributes, flows or clients', async () => {
  await using setup = await poolSetup()
  for (const name of ['__proto__', 'constructor', 'toString', 'custom:__proto__']) {
    const UserAttributes = [{ Name: name, Value: 'x' }]
    const user = { ClientId, Username: name, Password: setup.password }
    const invalid = { type: 'InvalidParameterException' }
    await expect(setup.call('SignUp', { ...user, UserAttributes })).rejects.toMatchObject(invalid)
    await setup.user(name)
    expect(await setup.signIn(name)).toHaveProperty('AuthenticationResult')
    const begin = { ClientId, AuthParameters: { USERNAME: name, PASSWORD: setup.password } }
    await expect(setup.call('InitiateAuth', { ...begin, AuthFlow: name })).rejects.toMatchObject(invalid)
    const respond = { ClientId, ChallengeName: name, ChallengeResponses: { USERNAME: name } }
    await expect(setup.call('RespondToAuthChallenge', respond)).rejects.toMatchObject(invalid)
    const client = { ...begin, ClientId: name, AuthFlow: 'USER_PASSWORD_AUTH' }
    const missing = { type: 'ResourceNotFoundException' }
    await expect(setup.call('InitiateAuth', client)).rejects.toMatchObject(missing)
    await expect(setup.call('ListUsers', { UserPoolId: name })).rejects.toMatchObject(missing)
    const filter = { UserPoolId, Filter: `${name} = "x"` }
    await expect(setup.call('ListUsers', filter)).rejects.toMatchObject(invalid)
    const Filter = `status = "${name}"`
    expect(await setup.call('ListUsers', { UserPoolId, Filter })).toEqual({ Users: [] })
  }
})

it('only one of three simultaneous confirmations with the same code succeeds', async () => {
  await using setup = await poolSetup()
  const UserAttributes = [{ Name: 'email', Value: 'ann@example.com' }]
  await setup.call('SignUp', { ClientId, Username: 'ann', Password: setup.password, UserAttributes })
  const ConfirmationCode = await setup.code()
  const results = await Promise.allSettled(
    [1, 2, 3].map(() => setup.call('ConfirmSignUp', { ClientId, Username: 'ann', ConfirmationCode })),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

it.each([
  ['AdminDisableUser', 'NotAuthorizedException'],
  ['AdminDeleteUser', 'UserNotFoundException'],
])('%s invalidates the user’s refresh and access tokens', async (operation, type) => {
  await using setup = await poolSetup()
  await setup.user('ann')
  const { AccessToken, RefreshToken } = (await setup.signIn()).AuthenticationResult
  await setup.call(operation, { UserPoolId, Username: 'ann' })
  const refused = { type: 'NotAuthorizedException' }
  await expect(setup.call('GetUser', { AccessToken })).rejects.toMatchObject({ type })
  await expect(setup.call('GetTokensFromRefreshToken', { ClientId, RefreshToken })).rejects.toMatchObject(
    refused,
  )
})
