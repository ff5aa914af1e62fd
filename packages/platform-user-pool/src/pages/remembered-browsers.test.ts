import { expect, it } from '@jest/globals'
import type { UserPoolConfig } from '../config/user-pool-config.ts'
import { hostedSetup, password } from '../testing/hosted-setup.ts'

const cookie = 'device-eu-central-1_Staff01'

/** Starts a pool with a user who gets a code by e-mail at each sign-in, unless the browser is remembered. */
async function rememberingSetup(pool: Partial<UserPoolConfig> = {}) {
  const hosted = await hostedSetup({
    pool: { mfa: { mode: 'optional', by: ['email'] }, devices: 'opt-in', ...pool },
    answers: { PostAuthentication_Authentication: () => ({}) },
  })
  const admin = async (operation: string, input: object = {}) => {
    const answer = await fetch(hosted.url, {
      method: 'POST',
      headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` },
      body: JSON.stringify({ UserPoolId: hosted.staff.id, Username: 'ann', ...input }),
    })
    return (await answer.json()) as { readonly Devices: readonly { readonly DeviceKey: string }[] }
  }
  await admin('AdminSetUserMFAPreference', { EmailMfaSettings: { Enabled: true } })
  return {
    ...hosted,
    admin,
    /** Signs in with a name and a password. Resolves to the next page. */
    async enter(username = 'ann', more: { [name: string]: string } = {}) {
      const { address } = await hosted.ask({ prompt: 'login' })
      const page = await hosted.visitor.open(address.href)
      const text = page.text.replace('<button>', '<input name="remember"><button>')
      return hosted.visitor.send({ ...page, text }, { username, password, ...more })
    },
    code: async () => (await hosted.staff.code('ann'))!,
  }
}

const isIn = ({ url }: { readonly url: string }) => url.includes('?code=')

it('a browser that is remembered at the user’s request needs no code until it is forgotten', async () => {
  await using setup = await rememberingSetup()
  const { visitor } = setup
  const asked = await setup.enter()
  expect(asked.text).toContain('Remember this browser')
  expect(isIn(await visitor.send(asked, { code: await setup.code(), remember: 'on' }))).toBe(true)
  expect(visitor.cookies.get(cookie)).toMatch(/^eu-central-1_[\da-f-]{36}\.[\w-]{43}$/)
  expect(isIn(await setup.enter())).toBe(true)
  const devices = setup.setup.events.map(({ request }) => request.newDeviceUsed)
  expect(devices).toEqual([true, false])

  // The device stays remembered after a sign-out.
  await visitor.open(`${setup.staff.issuer}/logout?client_id=web&logout_uri=http://localhost:3000/bye`)
  expect(isIn(await setup.enter())).toBe(true)

  const { Devices } = await setup.admin('AdminListDevices')
  expect(Devices).toMatchObject([
    { DeviceAttributes: expect.arrayContaining([{ Name: 'device_name', Value: 'Browser' }]) },
  ])
  await setup.admin('AdminForgetDevice', { DeviceKey: Devices[0]!.DeviceKey })
  expect((await setup.enter()).text).toContain('A code was sent to')
})

it('a browser is remembered only if its user asks for it and proves a second factor in that browser', async () => {
  await using setup = await rememberingSetup()
  const { visitor } = setup
  await setup.staff.users.add('bob', { password })
  // The password page does not offer to remember the browser.
  expect(isIn(await setup.enter('bob', { remember: 'on' }))).toBe(true)
  const asked = await setup.enter('ann', { remember: 'on' })
  const wrong = await visitor.send(asked, { code: '000000', remember: 'on' })
  expect(wrong.text).toContain('Invalid verification code')
  expect(isIn(await visitor.send(wrong, { code: await setup.code() }))).toBe(true)
  expect(visitor.cookies.has(cookie)).toBe(false)
  expect((await setup.admin('AdminListDevices')).Devices).toEqual([])
})

it('the cookie of a remembered browser is refused if it was altered or is used for another user', async () => {
  await using setup = await rememberingSetup()
  const { visitor } = setup
  await visitor.send(await setup.enter(), { code: await setup.code(), remember: 'on' })
  const value = visitor.cookies.get(cookie)!
  await setup.staff.users.add('bob', {
    password,
    attributes: { email: 'bob@example.com', email_verified: 'true' },
  })
  await setup.admin('AdminSetUserMFAPreference', { Username: 'bob', EmailMfaSettings: { Enabled: true } })
  expect((await setup.enter('bob')).text).toContain('A code was sent to b***@e***')
  for (const other of [
    `${value.slice(0, -43)}${'A'.repeat(43)}`,
    `eu-central-1_${'0'.repeat(36)}${value.slice(-44)}`,
    value.slice(0, -44),
  ]) {
    visitor.cookies.set(cookie, other)
    expect((await setup.enter()).text).toContain('A code was sent to')
  }
  visitor.cookies.set(cookie, value)
  // A remembered browser still needs the password.
  expect((await setup.enter('ann', { password: 'Wrong-7even' })).text).toContain('Incorrect username')
  await setup.admin('AdminUpdateDeviceStatus', {
    DeviceKey: value.slice(0, -44),
    DeviceRememberedStatus: 'not_remembered',
  })
  expect((await setup.enter()).text).toContain('A code was sent to')
})

it('a pool can remember every browser without asking, or remember no browser and ignore old cookies', async () => {
  await using always = await rememberingSetup({ devices: 'always' })
  const asked = await always.enter()
  expect(asked.text).not.toContain('Remember this browser')
  await always.visitor.send(asked, { code: await always.code() })
  expect(isIn(await always.enter())).toBe(true)
  await using never = await rememberingSetup({ devices: 'off' })
  never.visitor.cookies.set(cookie, always.visitor.cookies.get(cookie)!)
  const page = await never.enter()
  expect(page.text).toContain('A code was sent to')
  expect(page.text).not.toContain('Remember this browser')
})
