import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from '@jest/globals'
import { incorrect, newId, oldId, openMigration, password } from './testing/migration-setup.ts'
import { type Answers, poolSetup } from './testing/pool-setup.ts'

const migration = await openMigration()
const { migrateFrom, newName, newPool, old } = migration
afterAll(() => migration[Symbol.asyncDispose]())

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
