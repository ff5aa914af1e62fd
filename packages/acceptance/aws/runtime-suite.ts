import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { fromAws, toAws } from '@signalbox/aws'
import { cognitoEvents } from '@signalbox/aws/fixtures/cognito'
import { albEvents, sqsEvents, workMailEvents } from '@signalbox/aws/fixtures/others'
import { errorPayload } from '@signalbox/core/payload'
import type { Scene } from '@signalbox/examples/scene'
import { httpVerdict } from '@signalbox/load-balancer/contract'
import { mailVerdict } from '@signalbox/mail-flow/contract'
import { batchVerdict } from '@signalbox/queue/contract'
import { triggerVerdict } from '@signalbox/user-pool/contract'
import { type DeployedFunction, deploy } from './function.ts'
import type { RuntimeClient } from './own-loop.ts'
import type { Answer } from './runtime-api.ts'

/** Returns the payload in neutral names, with an error in the form of the contract. */
function payloadOf(answer: Answer): string {
  if (answer.kind === 'response') return JSON.stringify(fromAws(JSON.parse(answer.payload)))
  return errorPayload(Object.assign(new Error(answer.errorMessage), { name: answer.errorType }))
}

/** Tests that deployed examples handle AWS's events under a runtime client. */
export function testUnder(client: RuntimeClient): void {
  describe.each(['sign-up', 'orders', 'mailroom', 'shop', 'everything'])(
    `the example %s under ${client.name}`,
    example => {
      let deployed: DeployedFunction
      beforeAll(async () => {
        deployed = await deploy(example, client)
      }, 30_000)
      afterAll(async () => deployed[Symbol.asyncDispose]())

      it('returns the expected result for every example event', async () => {
        const { scenes }: { scenes: readonly Scene[] } = await import(`@signalbox/examples/${example}/scenes`)
        for (const { happens, event, conclude, expected } of scenes) {
          const answer = await deployed.invoke(toAws(event), 1_500)
          expect([happens, conclude(payloadOf(answer), event)]).toEqual([happens, expected])
        }
      }, 30_000)
    },
  )

  describe(`a function that serves all event families under ${client.name}`, () => {
    let deployed: DeployedFunction
    beforeAll(async () => {
      deployed = await deploy('everything', client)
    }, 30_000)
    afterAll(async () => deployed[Symbol.asyncDispose]())

    it('handles an event of each family', async () => {
      const signUp = cognitoEvents.PreSignUp_AdminCreateUser
      const signedUp = await deployed.invoke(signUp)
      expect(JSON.parse(payloadOf(signedUp))).toEqual({
        ...(fromAws(signUp) as object),
        response: { autoConfirmUser: false },
      })
      expect(signedUp).toMatchObject({ payload: expect.stringContaining('"awsSdkVersion"') })
      expect(triggerVerdict(payloadOf(signedUp), fromAws(signUp) as never)).toMatchObject({
        kind: 'accepted',
      })

      const batch = await deployed.invoke(sqsEvents.standard)
      expect(batchVerdict(payloadOf(batch), fromAws(sqsEvents.standard) as never)).toMatchObject({
        kind: 'partial',
      })

      const mail = await deployed.invoke(workMailEvents.inbound)
      expect(mailVerdict(payloadOf(mail), workMailEvents.inbound as never)).toBeDefined()

      for (const request of Object.values(albEvents)) {
        const page = await deployed.invoke(request)
        expect(httpVerdict(payloadOf(page), fromAws(request) as never)).toMatchObject({ kind: 'answered' })
      }
    })

    it('fails with UnknownEventError for an event that it does not recognize', async () => {
      expect(await deployed.invoke({ hello: 'world' })).toMatchObject({
        kind: 'error',
        errorType: 'UnknownEventError',
      })
    })
  })
}
