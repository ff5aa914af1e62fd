import { describe, expect, it } from '@jest/globals'
import { errorPayload } from '@signalbox/core/payload'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { queueEvent } from '@signalbox/queue/testing'
import { preSignUpEvent } from '@signalbox/user-pool/testing'
import { handler } from './handler.ts'
import { scenes } from './scenes.ts'

describe('one function for all four event families', () => {
  it('answers each event in the format of its family', async () => {
    expect(await handler(preSignUpEvent())).toMatchObject({ response: { autoConfirmUser: false } })
    expect(await handler(queueEvent({ bodies: ['not JSON'] }))).toMatchObject({
      batchItemFailures: [expect.anything()],
    })
    expect(await handler(mailEvent())).toMatchObject({ actions: [{ action: { type: 'DEFAULT' } }] })
    expect(await handler(httpEvent('GET', '/courses/welding'))).toMatchObject({ statusCode: 200 })
  })
})

it('each scene of the demo ends with the expected verdict', async () => {
  for (const scene of scenes) {
    const event = structuredClone(scene.event)
    const payload = await scene.handler(event).then(JSON.stringify, errorPayload)
    expect([scene.happens, scene.conclude(payload, scene.event)]).toEqual([scene.happens, scene.expected])
  }
})
