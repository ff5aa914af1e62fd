import { expect, it } from '@jest/globals'
import { operationOf } from './api/operations/call-operation.ts'
import { hostedSetup } from './testing/hosted-setup.ts'
import { clientId as ClientId, poolId, poolSetup } from './testing/pool-setup.ts'

const hour = 3_600_000

const signUp = (Username: string, Value = `${Username}@example.com`) => ({
  ClientId,
  Username,
  Password: 'Right-7even',
  UserAttributes: [{ Name: 'email', Value }],
})

it('one client address creates no more accounts than its share, by the API and by the hosted page', async () => {
  await using pool = await hostedSetup({ pool: { limits: { signUpsPerAddress: 2 } } })
  const create = (Username: string) =>
    fetch(pool.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'AWSCognitoIdentityProviderService.SignUp',
      },
      body: JSON.stringify(signUp(Username)),
    })
  expect((await create('bea')).status).toBe(200)
  expect((await create('bo')).status).toBe(200)
  const refused = await create('cy')
  expect(refused.status).toBe(429)
  expect(await refused.json()).toEqual({
    __type: 'TooManyRequestsException',
    message: 'Too many sign-ups. Try again later.',
  })
  const { address } = await pool.ask()
  const form = await pool.visitor.open(`${pool.staff.issuer}/signup${address.search}`)
  const account = { username: 'dan', email: 'dan@example.com', new_password: 'Right-7even' }
  expect((await pool.visitor.send(form, account)).text).toContain('Too many sign-ups. Try again later.')
})

it('all clients together create no more accounts in an hour than the pool allows', async () => {
  await using setup = await poolSetup({ pool: { limits: { signUps: 2 } } })
  await setup.call('SignUp', signUp('ann'))
  // What fails before an account is made does not count.
  await expect(setup.call('SignUp', signUp('ann'))).rejects.toMatchObject({ type: 'UsernameExistsException' })
  await setup.call('SignUp', signUp('bo'))
  const tooMany = { type: 'TooManyRequestsException' }
  await expect(setup.call('SignUp', signUp('cy'))).rejects.toMatchObject(tooMany)
  await setup.call('AdminCreateUser', { UserPoolId: poolId, Username: 'dan', MessageAction: 'SUPPRESS' })
  await setup.clock.advance(hour)
  await setup.call('SignUp', signUp('cy'))
})

it('an address between many others does not use up their sign-ups', async () => {
  await using setup = await poolSetup({ pool: { limits: { signUps: 3, signUpsPerAddress: 1 } } })
  const from = (address: string, name: string) =>
    operationOf('SignUp').run(setup.engine, signUp(name), 'sdk', undefined, address)
  await from('192.0.2.1', 'ann')
  for (const name of ['bo', 'cy', 'dan'])
    await expect(from('192.0.2.1', name)).rejects.toMatchObject({ type: 'TooManyRequestsException' })
  await from('192.0.2.2', 'eve')
  await from('192.0.2.3', 'fay')
})

it('many accounts with one e-mail address do not flood it with messages', async () => {
  await using setup = await poolSetup({ pool: { limits: { messages: 2 } } })
  await setup.call('SignUp', signUp('ann', 'victim@example.com'))
  await setup.call('SignUp', signUp('bo', 'Victim@example.com'))
  const tooOften = { type: 'LimitExceededException' }
  await expect(setup.call('SignUp', signUp('cy', 'victim@example.com'))).rejects.toMatchObject(tooOften)
  expect(await setup.store.countUsers(poolId)).toBe(2)
  await setup.call('SignUp', signUp('dan'))
  await setup.clock.advance(hour)
  await setup.call('SignUp', signUp('cy', 'victim@example.com'))
  expect(await setup.texts()).toHaveLength(4)
})

it('an address gets 50 messages in an hour if the configuration names no limits', async () => {
  await using setup = await poolSetup()
  const address = 'victim@example.com'
  for (let at = 0; at < 50; at++) await setup.call('SignUp', signUp(`user${at}`, address))
  await expect(setup.call('SignUp', signUp('late', address))).rejects.toMatchObject({
    type: 'LimitExceededException',
  })
})

it('other spellings of an e-mail address do not flood it with messages', async () => {
  await using setup = await poolSetup({ pool: { limits: { messages: 1 } } })
  await setup.call('SignUp', signUp('ann', 'jos\u00e9@b\u00fccher.example'))
  for (const [at, address] of [
    'jos\u00e9@B\u00dcCHER.example.',
    'jos\u00e9@xn--bcher-kva.example',
    'jose\u0301@bu\u0308cher.example',
    'jos\u00e9@b\u00fccher.\uff45xample',
    '"jos\\\u00e9"@b\u00fccher.example',
  ].entries())
    await expect(setup.call('SignUp', signUp(`user${at}`, address))).rejects.toMatchObject({
      type: 'LimitExceededException',
    })
  await setup.call('SignUp', signUp('bo', 'jose@b\u00fccher.example'))
})

it('a full destination does not reveal which user has it, and an administrator still reaches it', async () => {
  await using setup = await poolSetup({ pool: { limits: { messages: 2 } } })
  await setup.user('ann')
  await setup.call('SignUp', signUp('bo', 'ann@example.com'))
  const sent = async () => (await setup.texts()).length
  expect(await sent()).toBe(2)
  const answer = await setup.call('ForgotPassword', { ClientId, Username: 'ann' })
  expect(answer.CodeDeliveryDetails).toMatchObject({ DeliveryMedium: 'EMAIL', Destination: 'a***@e***' })
  await setup.call('ResendConfirmationCode', { ClientId, Username: 'bo' })
  expect(await sent()).toBe(2)
  await setup.call('AdminResetUserPassword', { UserPoolId: poolId, Username: 'ann' })
  expect(await sent()).toBe(3)
})
