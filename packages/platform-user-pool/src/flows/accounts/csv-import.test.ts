import { expect, it } from '@jest/globals'
import { poolSetup, poolId as UserPoolId } from '../../testing/pool-setup.ts'

const pool = { custom: { tenant: 'string' }, mfa: { by: ['sms'] } } as const
const ann = {
  'cognito:username': 'ann',
  email: 'ann@example.com',
  email_verified: 'TRUE',
  'custom:tenant': 't1',
}

it('GetCSVHeader returns a column for every attribute of the pool', async () => {
  await using setup = await poolSetup({ pool })
  const { CSVHeader } = await setup.call('GetCSVHeader', { UserPoolId })
  expect(CSVHeader).toEqual(expect.arrayContaining([...Object.keys(ann), 'cognito:mfa_enabled', 'birthdate']))
})

it('users imported from a CSV file reset their passwords with a code sent to a verified address', async () => {
  await using setup = await poolSetup({ pool, answers: { PreSignUp_SignUp: () => ({}) } })
  const Rows = [{ ...ann, phone_number: '+4930123456', 'cognito:mfa_enabled': 'true', nickname: '' }, ann]
  expect(await setup.call('ImportUserRows', { UserPoolId, Rows })).toEqual({
    Results: [{ Result: 'reset' }, { Result: 'there' }],
  })
  expect(setup.called).toEqual([])
  const found = await setup.call('AdminGetUser', { UserPoolId, Username: 'ann' })
  expect(found).toMatchObject({ UserStatus: 'RESET_REQUIRED', UserMFASettingList: ['SMS_MFA'] })
  await setup.call('ForgotPassword', { ClientId: 'web', Username: 'ann' })
  const ConfirmationCode = await setup.code('ann@example.com')
  const Password = setup.password
  await setup.call('ConfirmForgotPassword', { ClientId: 'web', Username: 'ann', ConfirmationCode, Password })
  expect((await setup.signIn()).ChallengeName).toBe('SMS_MFA')
})

it.each([
  ['an unknown attribute', { ...ann, 'custom:other': 'x' }, 'custom:other'],
  ['no user name', { ...ann, 'cognito:username': '' }, 'cognito:username is empty'],
  ['only an unverified address', { ...ann, email_verified: 'FALSE' }, 'no verified address'],
  ['a second factor but no phone number', { ...ann, 'cognito:mfa_enabled': 'TRUE' }, 'no phone number'],
  ['an invalid e-mail address', { ...ann, email: 'ann' }, 'email'],
])('a CSV row with %s is refused, and the error says why', async (_what, row, why) => {
  await using setup = await poolSetup({ pool })
  const { Results } = await setup.call('ImportUserRows', { UserPoolId, Rows: [row] })
  expect(Results).toEqual([{ Result: 'refused', Message: expect.stringContaining(why) }])
  expect((await setup.call('ListUsers', { UserPoolId })).Users).toEqual([])
})
