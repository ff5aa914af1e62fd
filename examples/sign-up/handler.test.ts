import { expect, it } from '@jest/globals'
import { errorPayload } from '@signalbox/core/payload'
import {
  createAuthChallengeEvent,
  defineAuthChallengeEvent,
  verifyAuthChallengeEvent,
} from '@signalbox/user-pool/testing'
import { handler } from './handler.ts'
import { scenes } from './scenes.ts'
import { outbox } from './services.ts'

it.each(scenes.map(scene => [scene.happens, scene] as const))(
  'the sign-up demo shows the expected verdict for the scene "%s"',
  async (_, scene) => {
    const event = structuredClone(scene.event)
    const payload = await handler(event).then(JSON.stringify, errorPayload)
    expect(scene.conclude(payload, scene.event)).toBe(scene.expected)
  },
)

it('the handler completes a sign-in when each step gets the results of the earlier steps', async () => {
  const session: { challengeName: string; challengeResult: boolean; challengeMetadata?: string }[] = []
  const define = async () => (await handler(defineAuthChallengeEvent({ session }))).response

  session.push({ challengeName: 'SRP_A', challengeResult: true })
  expect(await define()).toMatchObject({ challengeName: 'PASSWORD_VERIFIER' })
  session.push({ challengeName: 'PASSWORD_VERIFIER', challengeResult: true })
  expect(await define()).toMatchObject({ challengeName: 'CUSTOM_CHALLENGE' })

  // Each attempt gets a new code in a new mail.
  const before = outbox.sent.length
  for (const answerCorrect of [false, true]) {
    const { publicChallengeParameters, privateChallengeParameters } = (
      await handler(createAuthChallengeEvent({ session }))
    ).response as Record<string, Record<string, string>>
    const [, to, code = ''] = outbox.sent.at(-1)?.match(/^mail to (.*): (\d{6})$/) ?? []
    expect(to).toBe('ada@example.com')
    expect(JSON.stringify(publicChallengeParameters)).not.toContain(code)
    const challengeAnswer = answerCorrect ? code : 'not it'
    const event = verifyAuthChallengeEvent({
      privateChallengeParameters: privateChallengeParameters!,
      challengeAnswer,
    })
    expect((await handler(event)).response).toEqual({ answerCorrect })
    session.push({ challengeName: 'CUSTOM_CHALLENGE', challengeResult: answerCorrect })
  }
  expect(outbox.sent.length - before).toBe(2)
  expect(await define()).toEqual({ issueTokens: true, failAuthentication: false })
})
