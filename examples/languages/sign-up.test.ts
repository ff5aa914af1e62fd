import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createPlatform } from '@signalbox/platform'
import { describeWith } from '@signalbox/platform-runtime/testing/installed-program'
import { decodeJwt } from 'jose'

describeWith(['python3'], describe, 'a function in Python for a user pool', () => {
  const platform = createPlatform(
    {
      functions: {
        'sign-up': {
          command: ['python3', '../../packages/platform/languages/python/runtime.py'],
          export: 'sign_up.handler',
          dialect: 'aws',
        },
      },
      userPools: {
        staff: {
          triggers: { function: 'sign-up', routes: ['PreSignUp_SignUp', 'TokenGeneration'] },
          clients: { web: { flows: ['password'] } },
        },
      },
      userPoolListener: { port: 0 },
      control: { port: 0 },
      dataDir: ':memory:',
    },
    { root: import.meta.dirname },
  )
  beforeAll(() => platform.start(), 60_000)
  afterAll(() => platform.stop())

  const signUp = async (Username: string, email: string) => {
    const staff = platform.userPools.get('staff')
    const response = await fetch(staff.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'AWSCognitoIdentityProviderService.SignUp',
      },
      body: JSON.stringify({
        ClientId: staff.clientId('web'),
        Username,
        Password: 'Right-7even',
        UserAttributes: [{ Name: 'email', Value: email }],
      }),
    })
    const { message } = (await response.json()) as { readonly message?: string }
    return [response.status, message]
  }

  it('refuses a sign-up with the text of the exception', async () => {
    expect(await signUp('eve', 'eve@elsewhere.example')).toEqual([
      400,
      'PreSignUp failed with error Staff addresses only.',
    ])
  })

  it('confirms a sign-up, and changes the claims of tokens', async () => {
    expect(await signUp('ann', 'ann@example.com')).toEqual([200, undefined])
    const { idToken } = await platform.userPools.get('staff').signIn('ann', 'Right-7even')
    const claims = decodeJwt(idToken)
    expect([claims.tenant, claims.email]).toEqual(['t1', undefined])
  })
})
