import { describe, expect, it } from '@jest/globals'
import { InvalidEventError, InvalidResponseError, signalbox } from '@signalbox/core'
import { invocationContext } from '@signalbox/core/testing'
import fc from 'fast-check'
import { triggerNames } from '../contract/index.ts'
import { sourcesOf } from '../contract/triggers/source.ts'
import { customMessageEvent, triggerEvent } from '../testing/index.ts'
import { leastAnswers } from '../testing/least-answers.ts'
import { userPool } from '../user-pool.ts'
import { deny } from './deny.ts'
import { passThrough } from './pass-through.ts'
import type { Routes } from './route.ts'

const run = (routes: Routes, event: object) => signalbox(userPool(routes))(event, invocationContext())
const withSource = (event: object, triggerSource: string, more?: object) => ({
  ...event,
  triggerSource,
  ...more,
})
const newMessage = (more?: object) => withSource(customMessageEvent(), 'CustomMessage_SomethingNew', more)

describe('an event with a new source of a known trigger', () => {
  it('passes under passThrough for every trigger that needs no answer, whatever its request is', async () => {
    const needsNone = triggerNames.filter(name => Object.keys(leastAnswers[name]).length === 0)
    const triggers = fc.constantFrom(...needsNone)
    const suffixes = fc.stringMatching(/^[A-Z][A-Za-z_]{0,20}$/)
    await fc.assert(
      fc.asyncProperty(triggers, suffixes, fc.object(), async (trigger, suffix, request) => {
        const event = withSource(triggerEvent(sourcesOf(trigger)[0]!), `${trigger}_${suffix}New`, { request })
        const { triggerSource } = event
        expect(await run({ otherwise: passThrough }, event)).toMatchObject({ triggerSource, response: {} })
      }),
    )
  })

  it('goes to the route of its trigger, which a route for all other sources does not bypass', async () => {
    const event = withSource(triggerEvent('PreAuthentication_Authentication'), 'PreAuthentication_New')
    await expect(
      run({ PreAuthentication: () => deny('Closed'), otherwise: passThrough }, event),
    ).rejects.toThrow('Closed')
  })

  it('is normalized and checked as the contract says of its trigger when a route of the trigger reads it', async () => {
    const CustomMessage = ({ request }: { request: { codeParameter: string } }) => ({
      smsMessage: `Your code: ${request.codeParameter}`,
    })
    const { request } = customMessageEvent()
    const event = newMessage({ request: { ...request, clientMetadata: null }, response: null })
    const answered = await run({ CustomMessage }, event)
    expect(answered).toMatchObject({
      request: { clientMetadata: {} },
      response: { smsMessage: 'Your code: {####}' },
    })
    const refused = run({ CustomMessage, otherwise: passThrough }, newMessage({ request: {} }))
    await expect(refused).rejects.toThrow(InvalidEventError)
    await expect(refused).rejects.toThrow('/request/codeParameter: expected string, was nothing')
  })

  it('has its answer checked by the rules of its trigger', async () => {
    const refused = run({ CustomMessage: () => ({ smsMessage: 'Hello' }) }, newMessage())
    await expect(refused).rejects.toThrow(InvalidResponseError)
    await expect(refused).rejects.toThrow('/response/smsMessage')
    const define = withSource(triggerEvent('DefineAuthChallenge_Authentication'), 'DefineAuthChallenge_New')
    await expect(run({ otherwise: passThrough }, define)).rejects.toThrow(InvalidResponseError)
  })

  it('is refused without the common fields', async () => {
    await expect(run({ otherwise: passThrough }, newMessage({ userPoolId: 1 }))).rejects.toThrow(
      '/userPoolId: expected string, was a number',
    )
  })

  it('is refused without a route for it, and the error names the nearest source', async () => {
    const near = '/triggerSource: expected a trigger source; the nearest is CustomMessage_'
    await expect(run({ CustomMessage_SignUp: passThrough }, newMessage())).rejects.toThrow(near)
    await expect(run({ PreSignUp: passThrough }, newMessage())).rejects.toThrow(InvalidEventError)
  })

  it('gets its code decrypted for the route of a sender', async () => {
    const event = withSource(triggerEvent('CustomSMSSender_SignUp'), 'CustomSMSSender_New')
    const codes: string[] = []
    const CustomSMSSender = ({ request }: { request: { code: string } }) => void codes.push(request.code)
    const decrypting = userPool({ CustomSMSSender }, { decrypt: () => 'plain' })
    await signalbox(decrypting)(event, invocationContext())
    expect(codes).toEqual(['plain'])
  })
})

describe('an event of an unknown trigger', () => {
  it.each(['BrandNew_Trigger', 'CustomMessage_', 'CustomMessage', '_', ''])(
    'is refused: %j',
    async source => {
      const refused = run({ otherwise: passThrough }, newMessage({ triggerSource: source }))
      await expect(refused).rejects.toThrow(InvalidEventError)
    },
  )
})
