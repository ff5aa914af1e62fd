import { describe, expect, it } from '@jest/globals'
import { poolSetup } from '../../testing/pool-setup.ts'
import { signedUpSetup } from '../../testing/signed-up-setup.ts'

describe('a trigger that fails', () => {
  it('is called three times in total if it times out', async () => {
    await using setup = await signedUpSetup({
      answers: { PreAuthentication_Authentication: () => new Promise(() => {}) },
    })
    const signingIn = setup.signIn()
    const failed = expect(signingIn).rejects.toMatchObject({
      type: 'UnexpectedLambdaException',
      message: expect.stringMatching(/Socket timeout while invoking Lambda function/),
    })
    for (let i = 0; i < 4; i++) await setup.clock.advance(5000)
    await failed
    expect(setup.eventsOf('PreAuthentication_Authentication')).toHaveLength(3)
    expect(setup.entries.filter(({ attempt }) => attempt > 1)).toHaveLength(2)
  })

  it('fails the request when its response breaks the contract', async () => {
    await using setup = await poolSetup({ answers: { PreSignUp_SignUp: () => ({ autoConfirmUser: 'yes' }) } })
    await expect(setup.user()).rejects.toMatchObject({
      type: 'InvalidLambdaResponseException',
      message: 'Unrecognizable lambda output',
    })
  })
})
