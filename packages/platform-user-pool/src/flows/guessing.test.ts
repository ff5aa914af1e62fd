import { createHmac } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { clientId as ClientId, poolBox } from '../testing/pool-box.ts'

const wrong = { type: 'NotAuthorizedException', message: 'Incorrect username or password.' }
const locked = { type: 'NotAuthorizedException', message: 'Password attempts exceeded' }

describe('wrong passwords', () => {
  it.each(['ann', 'nobody'])(
    'lock %s for a time that doubles, and are forgotten after a quiet while',
    async name => {
      await using box = await poolBox()
      await box.user('ann')
      const guess = () => expect(box.signIn(name, 'Wrong-7even'))
      for (let i = 0; i < 5; i++) await guess().rejects.toMatchObject(wrong)
      for (const seconds of [1, 2, 4]) {
        await guess().rejects.toMatchObject(locked)
        await box.clock.advance(seconds * 1000 - 1)
        await guess().rejects.toMatchObject(locked)
        await box.clock.advance(1)
        await guess().rejects.toMatchObject(wrong)
      }
      await box.clock.advance(15 * 60_000)
      for (let i = 0; i < 5; i++) await guess().rejects.toMatchObject(wrong)
    },
  )

  it('lock SRP, too, and the right password as well', async () => {
    await using box = await poolBox()
    await box.user()
    const begun = await box.srp()
    for (let i = 0; i < 5; i++)
      await expect((await box.srp('ann', 'Wrong-7')).respond()).rejects.toMatchObject(wrong)
    await expect(begun.respond()).rejects.toMatchObject(locked)
    await box.clock.advance(1000)
    expect(await begun.respond()).toHaveProperty('AuthenticationResult')
    for (let i = 0; i < 5; i++) await expect(box.signIn('ann', 'Wrong-7')).rejects.toMatchObject(wrong)
  })

  it('many at a time are counted, every one', async () => {
    await using box = await poolBox()
    await box.user()
    const results = await Promise.allSettled([
      ...Array.from({ length: 20 }, () => box.signIn('ann', 'Wrong-7even')),
      box.signIn(),
    ])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(0)
    const messages = results.map(result => (result as PromiseRejectedResult).reason.message)
    expect(messages.filter(message => message === wrong.message)).toHaveLength(5)
  })
})

describe('unknown user names', () => {
  it('get the same answers as others, and always the same salt', async () => {
    await using box = await poolBox()
    await box.user()
    const [one, again, ann] = [await box.srp('bob'), await box.srp('BOB'), await box.srp('ann')]
    const { ChallengeParameters: hidden } = one.begun
    expect(hidden.SALT).toBe(again.begun.ChallengeParameters.SALT)
    expect(hidden.SRP_B).not.toBe(again.begun.ChallengeParameters.SRP_B)
    expect(Object.keys(hidden)).toEqual(Object.keys(ann.begun.ChallengeParameters))
    expect(hidden.SALT).toHaveLength(ann.begun.ChallengeParameters.SALT.length)
    await expect(one.respond()).rejects.toMatchObject(wrong)
    const user = { ClientId, Username: 'bob' }
    const delivery = {
      CodeDeliveryDetails: {
        Destination: expect.stringMatching(/^.\*\*\*@.\*\*\*$/),
        DeliveryMedium: 'EMAIL',
        AttributeName: 'email',
      },
    }
    expect(await box.call('ForgotPassword', user)).toEqual(delivery)
    expect(await box.call('ResendConfirmationCode', user)).toEqual(delivery)
    const code = { ...user, ConfirmationCode: '123456' }
    const mismatch = { type: 'CodeMismatchException' }
    await expect(
      box.call('ConfirmForgotPassword', { ...code, Password: box.password }),
    ).rejects.toMatchObject(mismatch)
    await expect(box.call('ConfirmSignUp', code)).rejects.toMatchObject(mismatch)
    expect(await box.texts()).toHaveLength(1)
  })

  it('are called so where the client may know it', async () => {
    await using box = await poolBox({ client: { hideUsers: false } })
    const user = { ClientId, Username: 'bob' }
    await expect(box.signIn('bob')).rejects.toMatchObject({
      type: 'UserNotFoundException',
      message: 'User does not exist.',
    })
    await expect(box.srp('bob')).rejects.toMatchObject({ type: 'UserNotFoundException' })
    await expect(box.call('ForgotPassword', user)).rejects.toMatchObject({
      message: 'Username/client id combination not found.',
    })
  })

  it('look like a sub where users sign in with their addresses', async () => {
    await using box = await poolBox({ pool: { signIn: ['email'] } })
    await box.user('ann@example.com')
    const ann = await box.srp('Ann@example.com')
    const bob = await box.srp('bob@example.com')
    const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
    expect(ann.begun.ChallengeParameters.USER_ID_FOR_SRP).toMatch(uuid)
    expect(bob.begun.ChallengeParameters.USER_ID_FOR_SRP).toMatch(uuid)
    expect(await ann.respond()).toHaveProperty('AuthenticationResult')
  })
})

describe('a client with a secret', () => {
  const secret = 'a'.repeat(32)
  const hash = (name: string) => createHmac('sha256', secret).update(name).update(ClientId).digest('base64')

  it('has to prove that it knows it', async () => {
    await using box = await poolBox({ client: { secret } })
    await expect(box.user()).rejects.toMatchObject({ type: 'NotAuthorizedException' })
    await expect(box.user('ann', { SecretHash: hash('bob') })).rejects.toMatchObject({
      message: `Unable to verify secret hash for client ${ClientId}`,
    })
    const UserAttributes = [{ Name: 'email', Value: 'ann@example.com' }]
    const user = { ClientId, Username: 'ann', SecretHash: hash('ann') }
    await box.call('SignUp', { ...user, Password: box.password, UserAttributes })
    await box.call('ConfirmSignUp', { ...user, ConfirmationCode: await box.code() })
    const AuthParameters = { USERNAME: 'ann', PASSWORD: box.password }
    const signIn = { ClientId, AuthFlow: 'USER_PASSWORD_AUTH' }
    await expect(box.call('InitiateAuth', { ...signIn, AuthParameters })).rejects.toMatchObject({
      type: 'NotAuthorizedException',
    })
    const { AuthenticationResult } = await box.call('InitiateAuth', {
      ...signIn,
      AuthParameters: { ...AuthParameters, SECRET_HASH: hash('ann') },
    })
    const { RefreshToken } = AuthenticationResult
    await expect(box.call('GetTokensFromRefreshToken', { ClientId, RefreshToken })).rejects.toMatchObject({
      type: 'NotAuthorizedException',
    })
    expect(
      await box.call('GetTokensFromRefreshToken', { ClientId, RefreshToken, ClientSecret: secret }),
    ).toHaveProperty('AuthenticationResult')
  })
})

it('keeps no password, code or token in the database, in an entry of the log or in a notice', async () => {
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(':memory:')
  await using box = await poolBox({ database, answers: { PreAuthentication_Authentication: () => ({}) } })
  await box.user()
  const { AuthenticationResult } = await box.signIn()
  await box.call('ForgotPassword', { ClientId, Username: 'ann' })
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
  const kept = tables
    .map(({ name }) => JSON.stringify(database.prepare(`select * from "${name}"`).all()))
    .join('\n')
  const secrets = [
    box.password,
    ...(await box.texts()).map(({ code }) => `"${code}"`),
    AuthenticationResult.RefreshToken,
  ]
  for (const secret of secrets) {
    expect(kept).not.toContain(secret)
    expect(JSON.stringify([box.entries, box.notices])).not.toContain(secret)
  }
})
