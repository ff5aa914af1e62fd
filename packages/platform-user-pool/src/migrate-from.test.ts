import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { decodeJwt } from 'jose'
import type { UserPoolConfig } from './config/user-pool-config.ts'
import { srpClient } from './srp/srp-client.ts'
import { hostedSetup } from './testing/hosted-setup.ts'
import { listeningPool } from './testing/listening-pool.ts'
import { configProblems } from './testing/pool-program.ts'
import { type Answers, poolSetup } from './testing/pool-setup.ts'

const password = 'Right-7even'
const oldId = 'eu-central-1_Old01'
const newId = 'eu-central-1_Staff01'
const incorrect = { name: 'NotAuthorizedException', message: 'Incorrect username or password.' }

const clientOf = (endpoint: string) =>
  new CognitoIdentityProvider({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
  })

/** The pool that users leave, which a stock Cognito would be. */
async function oldPool() {
  const running = await listeningPool({
    id: oldId,
    signIn: ['name', 'email'],
    custom: { tenant: 'string', seats: 'number' },
    mfa: { mode: 'optional', by: ['sms'] },
    groups: { admins: {}, readers: {}, legacy: {} },
    clients: {
      web: { id: 'old', flows: ['password', 'admin'] },
      shown: { id: 'shown', flows: ['password'], hideUsers: false },
      secret: { id: 'secret', flows: ['password'], secret: 'aSecretOfTheOldPool123456789' },
      srp: { id: 'srp', flows: ['srp'] },
    },
  })
  const api = clientOf(running.url)
  const add = async (
    Username: string,
    attributes: { [name: string]: string } = {},
    groups: string[] = [],
  ) => {
    const UserAttributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }))
    const { User } = await api.adminCreateUser({
      ...{ UserPoolId: oldId, Username, UserAttributes, MessageAction: 'SUPPRESS' },
      TemporaryPassword: password,
    })
    const who = { UserPoolId: oldId, Username }
    await api.adminSetUserPassword({ ...who, Password: password, Permanent: true })
    for (const GroupName of groups) await api.adminAddUserToGroup({ ...who, GroupName })
    return User!.Attributes!.find(({ Name }) => Name === 'sub')!.Value!
  }
  return { url: running.url, running, api, add }
}

let old: Awaited<ReturnType<typeof oldPool>>
beforeAll(async () => {
  old = await oldPool()
})
afterAll(async () => {
  old.api.destroy()
  await old.running[Symbol.asyncDispose]()
})

const cannotMove = {
  name: 'NotAuthorizedException',
  message: 'This account cannot move here as it is. Please contact the administrators, who know the reason.',
}

let names = 0
/** A name of its own for each test, because all tests share the old pool. */
const newName = () => `user${++names}`

const migrateFrom = (more: object = {}) => ({ pool: oldId, client: 'old', endpoint: old.url, ...more })

async function newPool(more: Partial<UserPoolConfig> = {}, from: object = {}) {
  const clock = manualClock(Date.now())
  const running = await listeningPool({
    clock,
    signIn: ['name', 'email'],
    signUp: false,
    custom: { tenant: 'string' },
    groups: { admins: { precedence: 1 }, readers: {} },
    clients: {
      web: { id: 'web', flows: ['srp', 'password', 'choice', 'refresh'] },
      shown: { id: 'shown', flows: ['srp', 'password', 'choice'], hideUsers: false },
    },
    migrateFrom: migrateFrom(from),
    ...more,
  })
  const api = clientOf(running.url)
  const signIn = (USERNAME: string, PASSWORD = password, ClientId = 'web') =>
    api.initiateAuth({
      ClientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME, PASSWORD },
    })
  const srp = async (USERNAME: string, PASSWORD = password, ClientId = 'web') => {
    const half = srpClient(newId, PASSWORD)
    const { ChallengeParameters } = await api.initiateAuth({
      ClientId,
      AuthFlow: 'USER_SRP_AUTH',
      AuthParameters: { USERNAME, SRP_A: half.SRP_A },
    })
    const ChallengeResponses = half.prove(ChallengeParameters as never)
    return api.respondToAuthChallenge({ ClientId, ChallengeName: 'PASSWORD_VERIFIER', ChallengeResponses })
  }
  return {
    ...{ clock, api, signIn, srp },
    /** What the operator reads about the move. */
    get notices() {
      return running.notices.filter(text => !text.startsWith('User pools send no e-mail'))
    },
    users: () => running.platform.userPools.get('staff').users.list(),
    async [Symbol.asyncDispose]() {
      api.destroy()
      await running[Symbol.asyncDispose]()
    },
  }
}

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

describe('an old pool that cannot be asked', () => {
  const unavailable = {
    name: 'ServiceUnavailableException',
    message: 'The account could not be looked up where it is. Try again later.',
    $metadata: { httpStatusCode: 503 },
  }

  /** A server that answers like a service with a problem. */
  async function failing(answer: (operation: string) => [status: number, body: string] | undefined) {
    const server = createServer((request, response) => {
      const [status, body] = answer(String(request.headers['x-amz-target']).split('.')[1]!) ?? []
      if (status !== undefined) response.writeHead(status).end(body)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      [Symbol.dispose]: () => {
        server.closeAllConnections()
        server.close()
      },
    }
  }

  it.each<[string, () => [number, string], string]>([
    [
      'is broken',
      () => [500, '{"__type":"InternalErrorException"}'],
      'InitiateAuth was answered with status 500.',
    ],
    ['is a web page', () => [200, '<html>'], 'InitiateAuth was answered with status 200.'],
    ['redirects', () => [302, ''], 'InitiateAuth was answered with status 302.'],
    [
      'does not know the client',
      () => [400, '{"__type":"com.amazonaws#ResourceNotFoundException","message":"No\\nclient."}'],
      'InitiateAuth was refused: ResourceNotFoundException: No client.',
    ],
    ['has other answers', () => [200, '{}'], 'InitiateAuth answered neither tokens nor a challenge.'],
    ['never ends', () => [200, 'x'.repeat(2 * 1024 * 1024)], 'The response has more than 1048576 bytes.'],
  ])('that %s is a failure, which the operator sees once', async (_what, answer, reason) => {
    using server = await failing(answer)
    await using setup = await newPool({}, { endpoint: server.endpoint })
    for (const name of ['ann', 'bob']) await expect(setup.signIn(name)).rejects.toMatchObject(unavailable)
    expect(setup.notices).toEqual([
      `A user could not move from the user pool ${oldId} to staff: it cannot be asked: ${reason}`,
    ])
    expect(await setup.users()).toEqual([])
  })

  it.each<[string, string, string | undefined]>([
    ['srp', 'InvalidParameterException', undefined],
    ['none', 'ResourceNotFoundException', undefined],
    ['secret', 'NotAuthorizedException', undefined],
    ['secret', 'NotAuthorizedException', 'aSecretThatIsAnother0123456789'],
  ])('for the client %s is a failure: %s', async (client, type, clientSecret) => {
    await using setup = await newPool({}, { client, ...(clientSecret && { clientSecret }) })
    await expect(setup.signIn('ann')).rejects.toMatchObject(unavailable)
    expect(setup.notices).toEqual([expect.stringContaining(`InitiateAuth was refused: ${type}: `)])
  })

  it('whose client belongs to another pool is a failure', async () => {
    const name = newName()
    await old.add(name)
    await using setup = await newPool({}, { pool: 'eu-central-1_Another' })
    await expect(setup.signIn(name)).rejects.toMatchObject(unavailable)
    expect(setup.notices).toEqual([expect.stringContaining('The client belongs to another pool.')])
  })

  it('where nothing listens is a failure, and users who are here sign in', async () => {
    const name = newName()
    const gone = await failing(() => undefined)
    gone[Symbol.dispose]()
    await using setup = await newPool({}, { endpoint: gone.endpoint })
    await expect(setup.signIn(name)).rejects.toMatchObject(unavailable)
    const who = { UserPoolId: newId, Username: name }
    await setup.api.adminCreateUser({ ...who, MessageAction: 'SUPPRESS' })
    await setup.api.adminSetUserPassword({ ...who, Password: password, Permanent: true })
    expect((await setup.signIn(name)).AuthenticationResult).toBeDefined()
    expect(setup.notices).toHaveLength(1)
    expect(setup.notices[0]).toContain('ECONNREFUSED')
  })

  it('that does not answer is given up after five seconds', async () => {
    let notify = () => {}
    const isAsked = new Promise<void>(resolve => (notify = resolve))
    using server = await failing(() => void notify() as undefined)
    await using setup = await newPool({}, { endpoint: server.endpoint })
    const refused = expect(setup.signIn('ann')).rejects.toMatchObject(unavailable)
    await isAsked
    setup.clock.advance(5000)
    await refused
    expect(setup.notices).toEqual([expect.stringContaining('There was no answer within 5 seconds.')])
  })

  it.each([
    ['MFA_SETUP', 'has to get a second factor where it is'],
    ['SOFTWARE_TOKEN_MFA', 'has a second factor where it is'],
    ['CUSTOM_CHALLENGE', 'needs more than its password where it is'],
  ])('that asks for %s is not obeyed, and the user reads what is missing', async (challenge, text) => {
    using server = await failing(() => [200, JSON.stringify({ ChallengeName: challenge })])
    await using setup = await newPool({}, { endpoint: server.endpoint })
    await expect(setup.signIn('ann')).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: `This account ${text}, and cannot move here by its password alone.`,
    })
    expect(setup.notices).toEqual([expect.stringContaining(`asks for more than the password: ${challenge}.`)])
  })

  it('and has 32 sign-ins of one pool waiting is still asked for another', async () => {
    let asked = 0
    using server = await failing(() => void asked++ as undefined)
    const of = (id: string) => newPool({ id, signUp: false }, { endpoint: server.endpoint, pool: oldId })
    await using first = await of(newId)
    await using second = await of('eu-central-1_Staff02')
    const waiting = Promise.allSettled(Array.from({ length: 32 }, (_, at) => first.signIn(`ann${at}`)))
    while (asked < 32) await new Promise(resolve => setImmediate(resolve))
    let isAnswered = false
    const other = Promise.allSettled([second.signIn('ann').finally(() => (isAnswered = true))])
    while (asked < 33 && !isAnswered) await new Promise(resolve => setImmediate(resolve))
    for (const { clock } of [first, second]) clock.advance(5000)
    for (const each of [...(await waiting), ...(await other)])
      expect((each as PromiseRejectedResult).reason).toMatchObject(unavailable)
  })

  it('is asked no more when five wrong passwords have locked a name', async () => {
    let asked = 0
    using server = await failing(() => {
      asked++
      return [400, '{"__type":"NotAuthorizedException","message":"Incorrect username or password."}']
    })
    await using setup = await newPool({}, { endpoint: server.endpoint })
    for (let guess = 0; guess < 5; guess++) await expect(setup.signIn('ann')).rejects.toMatchObject(incorrect)
    for (const client of ['web', 'shown'])
      await expect(setup.signIn('ann', password, client)).rejects.toThrow('Password attempts exceeded')
    expect(asked).toBe(5)
  })

  it.each(['web', 'shown'])('is asked five times about twenty guesses at once, for %s', async client => {
    let asked = 0
    using server = await failing(() => {
      asked++
      return [400, '{"__type":"NotAuthorizedException","message":"Incorrect username or password."}']
    })
    await using setup = await newPool({}, { endpoint: server.endpoint })
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => setup.signIn('ann', `Guess-${at}`, client)),
    )
    const texts = all.map(each => (each as PromiseRejectedResult).reason.message)
    expect(texts.filter(text => text === incorrect.message)).toHaveLength(5)
    expect(texts.filter(text => text === 'Password attempts exceeded')).toHaveLength(15)
    expect(asked).toBe(5)
  })

  it('is asked five times, also where PreAuthentication refuses unknown users', async () => {
    let asked = 0
    using server = await failing(() => {
      asked++
      return [400, '{"__type":"NotAuthorizedException","message":"Incorrect username or password."}']
    })
    const answers: Answers = {
      PreAuthentication_Authentication: () => {
        throw new Error('No.')
      },
    }
    await using setup = await newPool({ answers } as never, { endpoint: server.endpoint })
    for (let guess = 0; guess < 5; guess++)
      await expect(setup.signIn('ann')).rejects.toMatchObject({ name: 'UserLambdaValidationException' })
    await expect(setup.signIn('ann')).rejects.toThrow('Password attempts exceeded')
    expect(asked).toBe(5)
  })

  it('that refuses requests for now is busy, as is one with too many sign-ins', async () => {
    const asked: string[] = []
    let isThrottled = true
    using server = await failing(operation => {
      asked.push(operation)
      return isThrottled ? [400, '{"__type":"TooManyRequestsException"}'] : undefined
    })
    await using setup = await poolSetup({
      pool: { signUp: false, migrateFrom: migrateFrom({ endpoint: server.endpoint }) },
    })
    const busy = { type: 'TooManyRequestsException', retryAfter: 5 }
    await expect(setup.signIn('ann')).rejects.toMatchObject(busy)
    isThrottled = false
    const all = Promise.allSettled(Array.from({ length: 40 }, (_, at) => setup.signIn(`ann${at}`)))
    while (asked.length < 33) await new Promise(resolve => setImmediate(resolve))
    setup.clock.advance(5000)
    const types = (await all).map(each => (each as PromiseRejectedResult).reason.type)
    expect(types.filter(type => type === 'TooManyRequestsException')).toHaveLength(8)
    expect(types.filter(type => type === 'ServiceUnavailableException')).toHaveLength(32)
    expect(asked).toHaveLength(33)
  })
})

describe('the configuration', () => {
  const problems = (pool: object) =>
    configProblems({
      functions: { work: { handler: () => ({}) } },
      userPools: { staff: { signUp: false, clients: { web: { flows: ['password'] } }, ...pool } },
    } as never).map(({ pointer, expected }) => [pointer, expected])
  const from = { pool: oldId, client: 'abc' }

  it('takes a pool, and finds what is wrong with one', () => {
    expect(problems({ migrateFrom: from })).toEqual([])
    expect(
      problems({
        migrateFrom: {
          ...from,
          ...{ region: 'us-west-2', clientSecret: { env: 'PATH' }, endpoint: 'https://pools.example' },
        },
      }),
    ).toEqual([])
    expect(
      problems({ migrateFrom: { pool: 'Old01', client: 'a b', endpoint: 'http://pools.example', x: 1 } }),
    ).toEqual([
      ['/userPools/staff/migrateFrom/pool', expect.stringContaining('eu-central-1_Ab12Cd34E')],
      ['/userPools/staff/migrateFrom/client', expect.anything()],
      ['/userPools/staff/migrateFrom/endpoint', 'an https URL, or one of http on this machine'],
      ['/userPools/staff/migrateFrom/x', expect.anything()],
    ])
    expect(problems({ migrateFrom: { ...from, clientSecret: { env: 'NO_SUCH_VARIABLE' } } })).toEqual([])
  })

  it.each([
    ['a map', { UserMigration: 'work' }],
    ['a source', { UserMigration_ForgotPassword: 'work' }],
    ['a list', { function: 'work', routes: ['PreSignUp', 'UserMigration_Authentication'] }],
  ])('refuses the trigger UserMigration beside it, in %s', (_form, triggers) => {
    expect(problems({ migrateFrom: from, triggers })).toEqual([
      [
        '/userPools/staff/migrateFrom',
        'no trigger UserMigration beside it, because users can come from one place only',
      ],
    ])
    expect(problems({ migrateFrom: from, triggers: { PreSignUp: 'work' } })).toEqual([])
  })

  it('refuses sign-ups beside it that no function looks at', () => {
    expect(problems({ migrateFrom: from, signUp: true })).toEqual([
      [
        '/userPools/staff/migrateFrom',
        'signUp: false beside it, or a trigger PreSignUp that refuses those whom the other pool has, because others could take their names first',
      ],
    ])
    for (const triggers of [{ PreSignUp: 'work' }, { function: 'work', routes: ['PreSignUp_SignUp'] }])
      expect(problems({ migrateFrom: from, signUp: true, triggers })).toEqual([])
  })

  it('refuses a pool without a client that sends passwords', () => {
    expect(problems({ migrateFrom: from, clients: { web: { flows: ['srp', 'refresh'] } } })).toEqual([
      [
        '/userPools/staff/migrateFrom',
        'a client that sends passwords: by the flow password, admin or choice, or with callbacks',
      ],
    ])
    for (const client of [{ callbacks: ['https://app.example/cb'] }, { grants: ['device_code'] }])
      expect(problems({ migrateFrom: from, clients: { web: client } })).toEqual([])
  })
})
