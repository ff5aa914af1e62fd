import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { triggerEventCodec } from '@signalbox/user-pool/contract'
import { listeningPool } from './testing/listening-pool.ts'
import { createPlatform } from './testing/pool-program.ts'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from './testing/pool-setup.ts'

const source = 'CustomEmailSender_AccountTakeOverNotification'
const day = 24 * 3_600_000
const takeover = {}
const answers = { [source]: () => ({}) }

type Setup = Awaited<ReturnType<typeof poolSetup>>

async function guess(setup: Setup, times: number, name = 'ann') {
  for (let at = 0; at < times; at++) await setup.signIn(name, `Wrong-${at}`).catch(() => {})
  await setup.engine.settled()
}

const noticesOf = async (setup: Setup) =>
  (await setup.texts()).filter(({ occasion }) => occasion === 'AccountTakeOverNotification')

describe('CustomEmailSender_AccountTakeOverNotification', () => {
  it('is called once when wrong passwords in a row lock the account, with what the contract names', async () => {
    await using setup = await poolSetup({ pool: { takeover }, answers })
    await setup.user()
    await guess(setup, 4)
    expect(setup.eventsOf(source)).toEqual([])
    await guess(setup, 1)
    const [event, ...others] = setup.eventsOf(source)
    expect(others).toEqual([])
    expect(triggerEventCodec.is(event)).toBe(true)
    expect(event).toMatchObject({
      userName: 'ann',
      request: {
        type: 'customEmailSenderRequestV1',
        userAttributes: {
          EVENT_ID: expect.stringMatching(/^[\da-f-]{36}$/),
          USER_NAME: 'ann',
          LOGIN_TIME: '2023-11-14T22:13:20.000Z',
          ACCOUNT_TAKE_OVER_ACTION: 'BLOCK',
        },
      },
    })
    expect(event!.request).not.toHaveProperty('code')
    expect(JSON.stringify(event)).not.toContain('Wrong-')
  })

  it('is called by guesses at the proof of SRP, and not again on the same day', async () => {
    await using setup = await poolSetup({ pool: { takeover }, answers })
    await setup.user()
    for (let at = 0; at < 5; at++) {
      const { respond } = await setup.srp('ann', 'Wrong-7even')
      await respond().catch(() => {})
    }
    await setup.engine.settled()
    expect(setup.eventsOf(source)).toHaveLength(1)
    await setup.clock.advance(3_600_000)
    await guess(setup, 6)
    expect(setup.eventsOf(source)).toHaveLength(1)
    await setup.clock.advance(day)
    await guess(setup, 5)
    expect(setup.eventsOf(source)).toHaveLength(2)
  })

  it('is not called when a right password comes in between', async () => {
    await using setup = await poolSetup({ pool: { takeover }, answers })
    await setup.user()
    for (let round = 0; round < 3; round++) {
      await guess(setup, 4)
      await setup.signIn()
    }
    await setup.engine.settled()
    expect(setup.eventsOf(source)).toEqual([])
  })

  it('is called with the address from which the guesses came', async () => {
    await using setup = await listeningPool({
      takeover,
      answers,
      clients: { web: { id: 'web', flows: ['password'] } },
    })
    const staff = setup.platform.userPools.get('staff')
    const attributes = { email: 'ann@example.com', email_verified: 'true' }
    await staff.users.add('ann', { password: 'Right-7even', attributes })
    const AuthParameters = { USERNAME: 'ann', PASSWORD: 'Wrong-7even' }
    for (let at = 0; at < 5; at++)
      await fetch(setup.url, {
        method: 'POST',
        headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth' },
        body: JSON.stringify({ ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters }),
      })
    while (setup.events.length === 0) await new Promise(resolve => setImmediate(resolve))
    expect(setup.events).toMatchObject([{ request: { userAttributes: { IP_ADDRESS: '127.0.0.1' } } }])
  })

  it('is called after a sign-in with a password of the list of leaked ones, which lets the user in', async () => {
    await using setup = await poolSetup({ pool: { takeover }, answers })
    await setup.user()
    const listed = { takeover: { leaked: new Set([digest(setup.password)]) } }
    // The account is older than the list.
    Object.assign(setup.engine.pools[0]!, listed)
    expect((await setup.signIn()).AuthenticationResult).toBeDefined()
    await setup.engine.settled()
    expect(setup.eventsOf(source)).toMatchObject([
      { request: { userAttributes: { ACCOUNT_TAKE_OVER_ACTION: 'NO_ACTION' } } },
    ])
  })
})

const digest = (password: string) => createHash('sha1').update(password).digest().toString('latin1')

it('without a sender, the notice is an e-mail to the verified address', async () => {
  await using setup = await poolSetup({ pool: { takeover } })
  await setup.user()
  await guess(setup, 5)
  expect(await noticesOf(setup)).toMatchObject([
    {
      to: 'ann@example.com',
      state: 'kept',
      subject: 'Wrong passwords for your account',
      text: expect.stringMatching(/^Several wrong passwords were entered for your account ann\./),
    },
  ])
})

it('a notice is sent even if an address has had as many messages as it may have', async () => {
  await using setup = await poolSetup({ pool: { takeover, limits: { messages: 1 } } })
  await setup.user()
  // The code of the sign-up was the one message.
  await guess(setup, 5)
  expect(await noticesOf(setup)).toMatchObject([{ to: 'ann@example.com', state: 'kept' }])
})

it('no notice is sent without `takeover`, to an address that is not verified, or for an unknown name', async () => {
  await using off = await poolSetup({ answers })
  await off.user()
  await guess(off, 6)
  expect(await noticesOf(off)).toEqual([])
  await using setup = await poolSetup({ pool: { takeover }, answers })
  await setup.call('AdminCreateUser', {
    UserPoolId,
    Username: 'bob',
    UserAttributes: [{ Name: 'email', Value: 'bob@example.com' }],
    MessageAction: 'SUPPRESS',
  })
  for (const name of ['bob', 'nobody', 'nobody@example.com']) await guess(setup, 6, name)
  expect(setup.eventsOf(source)).toEqual([])
  expect(await noticesOf(setup)).toEqual([])
})

describe('passwords of the list of leaked ones', () => {
  const list = [
    'Leaked-1even',
    createHash('sha1').update('Leaked-2even').digest('hex').toUpperCase(),
    `${createHash('sha1').update('Leaked-3even').digest('hex')}:42`,
  ]

  it.each(['\n', '\r\n'])('cannot be chosen, in whichever form the list has them', async end => {
    using folder = temporaryFolder()
    const leaked = join(folder.path, 'leaked.txt')
    writeFileSync(leaked, list.join(end))
    await using setup = await poolSetup({ pool: { takeover: { leaked } } })
    for (const Password of ['Leaked-1even', 'Leaked-2even', 'Leaked-3even'])
      await expect(setup.call('SignUp', { ClientId, Username: 'bob', Password })).rejects.toMatchObject({
        type: 'InvalidPasswordException',
        message: 'Password did not conform with policy: Password is in a list of passwords that others know',
      })
    await setup.user()
    const { AuthenticationResult } = await setup.signIn()
    const { AccessToken } = AuthenticationResult
    const change = { AccessToken, PreviousPassword: setup.password, ProposedPassword: 'Leaked-2even' }
    await expect(setup.call('ChangePassword', change)).rejects.toMatchObject({
      type: 'InvalidPasswordException',
    })
  })

  it('have to be in a file that is there', () => {
    const config = { userPools: { staff: { clients: {}, takeover: { leaked: 'nowhere.txt' } } } }
    expect(() => createPlatform({ functions: {}, ...config } as never)).toThrow(
      '/userPools/staff/takeover/leaked: expected a file, was nowhere.txt, where there is none',
    )
  })
})
