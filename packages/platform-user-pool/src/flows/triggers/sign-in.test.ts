import { expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import { poolId as UserPoolId } from '../../testing/pool-setup.ts'
import { email, signedUpSetup } from '../../testing/signed-up-setup.ts'

it('PreAuthentication_Authentication gets the validation data of a sign-in, and can deny the sign-in', async () => {
  let isOpen = true
  await using setup = await signedUpSetup({
    answers: {
      PreAuthentication_Authentication: () => {
        if (!isOpen) throw new Error('closed')
        return {}
      },
    },
  })
  await setup.signIn('ann', setup.password, { ClientMetadata: { device: 'phone' } })
  expect(setup.eventsOf('PreAuthentication_Authentication')[0]).toMatchObject({
    request: {
      userAttributes: { email: 'ann@example.com' },
      validationData: { device: 'phone' },
      userNotFound: false,
    },
  })
  isOpen = false
  const denied = { message: 'PreAuthentication failed with error closed.' }
  await expect(setup.signIn()).rejects.toMatchObject(denied)
  await expect(setup.srp()).rejects.toMatchObject(denied)
})

it('PreAuthentication_Authentication gets userNotFound for an unknown user name', async () => {
  await using setup = await signedUpSetup({ answers: { PreAuthentication_Authentication: () => ({}) } })
  await expect(setup.signIn('bob')).rejects.toMatchObject({ message: 'Incorrect username or password.' })
  expect(setup.events.at(-1)).toMatchObject({ userName: 'bob', request: { userNotFound: true } })
})

it('PostAuthentication_Authentication is called just before tokens are issued, and can deny the sign-in', async () => {
  let isOpen = true
  await using setup = await signedUpSetup({
    answers: {
      PostAuthentication_Authentication: () => {
        if (!isOpen) throw new Error('closed')
        return {}
      },
      TokenGeneration_Authentication: () => ({}),
    },
  })
  await (await setup.srp('ann', setup.password, { ClientMetadata: { a: 'b' } })).respond()
  expect(setup.called.slice(-2)).toEqual([
    'PostAuthentication_Authentication',
    'TokenGeneration_Authentication',
  ])
  expect(setup.events.at(-2)).toMatchObject({ request: { newDeviceUsed: false, clientMetadata: { a: 'b' } } })
  isOpen = false
  await expect(setup.signIn()).rejects.toMatchObject({
    message: 'PostAuthentication failed with error closed.',
  })
})

it('a sign-in fails when the account is disabled or its password changes before tokens are issued', async () => {
  let during: () => Promise<unknown> = async () => undefined
  await using setup = await signedUpSetup({
    answers: {
      PostAuthentication_Authentication: async () => {
        await during()
        return {}
      },
    },
  })
  const ann = { UserPoolId, Username: 'ann' }
  during = () => setup.call('AdminUpdateUserAttributes', { ...ann, UserAttributes: email('new@example.com') })
  const { AuthenticationResult } = await setup.signIn()
  expect(decodeJwt(AuthenticationResult.IdToken)).toMatchObject({ email: 'new@example.com' })
  during = () => setup.call('AdminSetUserPassword', { ...ann, Password: 'Other-7even', Permanent: true })
  await expect(setup.signIn()).rejects.toMatchObject({ type: 'NotAuthorizedException' })
  during = () => setup.call('AdminDisableUser', ann)
  await expect(setup.signIn('ann', 'Other-7even')).rejects.toMatchObject({ type: 'NotAuthorizedException' })
})
