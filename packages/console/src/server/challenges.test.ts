import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { customAuth, oneTimeCode, userPool } from '@signalbox/user-pool'
import { type ConsolePlatform, consolePlatform } from '../testing/console-platform.ts'

const password = 'Right-7even'
const key = (id: string) => ({ id, secret: `secret-of-${id}-which-is-long` })
const sent: string[] = []
const handlerFor = (firstFactor: 'none' | 'srp') => ({
  handler: signalbox(
    userPool(
      customAuth({
        firstFactor,
        maxAttempts: 2,
        challenges: [oneTimeCode({ send: code => void sent.push(code) })],
      }),
    ),
  ),
})
const triggersOf = (name: string) => ({
  DefineAuthChallenge: name,
  CreateAuthChallenge: name,
  VerifyAuthChallengeResponse: name,
})
let setup: ConsolePlatform
beforeAll(async () => {
  setup = await consolePlatform({
    functions: { challenges: handlerFor('none'), afterPassword: handlerFor('srp') },
    userPools: {
      staff: {
        triggers: triggersOf('challenges'),
        clients: { web: { flows: ['password', 'custom'] }, secret: { flows: ['custom'], secret: true } },
      },
      guests: { triggers: triggersOf('afterPassword'), clients: { web: { flows: ['custom'] } } },
      plain: { clients: { web: { flows: ['srp'] }, machine: { flows: ['refresh'] } } },
    },
    userPoolListener: { port: 0 },
    access: {
      identities: {
        reader: { keys: [key('READ')], rights: { console: { read: ['*'] } } },
        actor: { keys: [key('ACT')], rights: { console: { read: ['*'], act: ['*'] } } },
      },
    },
  } as never)
  for (const name of ['staff', 'guests', 'plain'])
    await setup.platform.userPools.get(name).users.add('ann', { password })
})
afterAll(() => setup.platform.stop())

const ask = async (id: string, path: string, body?: object) => {
  const answer = await fetch(`${setup.origin}/console/api${path}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${id}.${key(id).secret}`,
      ...{ 'x-signalbox-console': '1', 'content-type': 'application/json' },
    },
  })
  return { status: answer.status, body: (await answer.json()) as never }
}

interface Step {
  readonly challenge: {
    readonly client: string
    readonly user: string
    readonly session: string
    readonly privateParameters: { readonly answer: string }
  }
}

const begin = async (pool: string, body: object) => {
  const { challenge } = (await ask('ACT', `/pools/${pool}/sign-in`, body)).body as Step
  const { client, user, session, privateParameters } = challenge
  const send = (answer: string) =>
    ask('ACT', `/pools/${pool}/sign-in/answers`, {
      ...{ client, user, session, challenge: 'CUSTOM_CHALLENGE', answer },
    })
  return { challenge, code: privateParameters.answer, send }
}

describe('a test sign-in with custom challenges', () => {
  it.each([
    ['without a password', 'staff', { name: 'ann', isCustom: true }],
    ['through a client with a secret', 'staff', { name: 'ann', client: 'secret' }],
    ['after the password', 'guests', { name: 'ann', password }],
  ])('%s shows the code to the actor, and ends with tokens', async (_case, pool, body) => {
    const { challenge, code, send } = await begin(pool, body)
    expect(challenge).toMatchObject({
      name: 'CUSTOM_CHALLENGE',
      parameters: { digits: '6' },
      canAnswer: true,
    })
    expect(code).toBe(sent.at(-1))
    expect(Object.keys(challenge.privateParameters)).toEqual(['answer', 'expires'])
    const wrong = (await send('no')).body as Step
    const second = wrong.challenge
    expect(second.privateParameters.answer).toBe(sent.at(-1))
    const { client, user, session } = second
    const right = await ask('ACT', `/pools/${pool}/sign-in/answers`, {
      ...{ client, user, session, challenge: 'CUSTOM_CHALLENGE', answer: sent.at(-1) },
    })
    expect(right).toMatchObject({ status: 200, body: { accessToken: { claims: { username: 'ann' } } } })
  })

  it('says what is missing, or what the pool refuses', async () => {
    for (const [pool, body, error] of [
      ['guests', { name: 'ann' }, 'The sign-in begins with the password. Enter it.'],
      ['guests', { name: 'ann', password: 'Wrong-7even' }, 'Incorrect username or password.'],
      ['staff', { name: 'ann', client: 'wep' }, 'There is no client "wep".'],
      ['plain', { name: 'ann', isCustom: true }, 'No client of the pool plain has the flow custom.'],
      [
        'plain',
        { name: 'ann', client: 'machine' },
        'The client machine does not have the flow admin or password or srp or custom.',
      ],
    ] as const)
      expect(await ask('ACT', `/pools/${pool}/sign-in`, body)).toEqual({ status: 409, body: { error } })
    const { send } = await begin('staff', { name: 'ann', isCustom: true })
    await send('no')
    expect(await send('no')).toMatchObject({ status: 409 })
  })
})

describe('the custom challenges of a user pool', () => {
  it('are listed while they wait, with their codes only for visitors who may act', async () => {
    const { code, send } = await begin('staff', { name: 'ann', isCustom: true })
    const listed = async (id: string) => JSON.stringify((await ask(id, '/pools/staff/challenges')).body)
    const [acting, reading] = [await listed('ACT'), await listed('READ')]
    expect(acting).toContain(`"answer":"${code}"`)
    expect(acting).not.toContain('signalbox:')
    expect(reading).toContain('"user":"ann"')
    expect(reading).toContain('"name":"one-time-code"')
    expect(reading).not.toContain(code)
    expect(reading).not.toContain('parameters')
    const sub = (JSON.parse(acting) as { sub: string }[])[0]!.sub
    expect((await ask('READ', '/pools/staff/users/ann')).body).toMatchObject({ user: { sub } })
    await send(code)
    expect(await listed('ACT')).not.toContain(code)
    expect(await ask('READ', '/pools/staff/sign-in', { name: 'ann', isCustom: true })).toMatchObject({
      status: 403,
    })
    expect(await ask('READ', '/pools/staff/sign-in/answers', {})).toMatchObject({ status: 403 })
  })
})
