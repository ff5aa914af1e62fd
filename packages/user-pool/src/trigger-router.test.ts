import { describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import { InvalidOptionError, InvalidResponseError, UnroutedError } from '@signalbox/core'
import { deny } from './deny.ts'
import { passThrough } from './pass-through.ts'
import type { Routes } from './route.ts'
import {
  customEmailSenderEvent,
  postConfirmationEvent,
  preAuthenticationEvent,
  preSignUpEvent,
  tokenGenerationEvent,
  triggerEvent,
} from './testing/index.ts'
import { triggerRouter } from './trigger-router.ts'

const invocation = { signal: new AbortController().signal }
const context = { requestId: 'r1' }
const route = (routes: Routes, event: { readonly triggerSource: string }) =>
  triggerRouter(routes)(event as never, context, invocation)

describe('triggerRouter', () => {
  it('routes by source, and by trigger for all its sources; the exact one wins, wherever it stands', () => {
    const exact = () => ({ autoVerifyEmail: true })
    const all = () => ({ autoConfirmUser: true })
    for (const routes of [
      { PreSignUp_SignUp: exact, PreSignUp: all },
      { PreSignUp: all, PreSignUp_SignUp: exact },
    ]) {
      expect(route(routes, preSignUpEvent())).toHaveProperty('response', { autoVerifyEmail: true })
      const created = preSignUpEvent({}, { triggerSource: 'PreSignUp_AdminCreateUser' })
      expect(route(routes, created)).toHaveProperty('response', { autoConfirmUser: true })
    }
  })

  it('hands on the event, the context and the signal', () => {
    const event = preAuthenticationEvent()
    let seen: unknown[] = []
    route(
      {
        PreAuthentication: (...args) => {
          seen = args
        },
      },
      event,
    )
    expect(seen[0]).toBe(event)
    expect(seen.slice(1)).toEqual([context, invocation])
  })

  it('fails closed for a source without a route, and lists the routes', () => {
    expect(() =>
      route({ PreSignUp: () => ({}), TokenGeneration: () => ({}) }, preAuthenticationEvent()),
    ).toThrow(new UnroutedError('PreAuthentication_Authentication', ['PreSignUp', 'TokenGeneration']))
    expect(() => route({ PreAuthentication: undefined as never }, preAuthenticationEvent())).toThrow(
      UnroutedError,
    )
  })

  it('lets the rest be answered by `otherwise`, or pass through', () => {
    const event = preAuthenticationEvent()
    expect(route({ otherwise: passThrough }, event)).toBe(event)
    expect(route({ otherwise: () => ({ autoConfirmUser: true }) }, preSignUpEvent())).toHaveProperty(
      'response',
      {
        autoConfirmUser: true,
      },
    )
  })

  it('is synchronous as long as its route is', async () => {
    const event = preSignUpEvent()
    expect(route({ PreSignUp: () => ({}) }, event)).toBe(event)
    const later = route({ PreSignUp: async () => ({ autoConfirmUser: true }) }, event)
    expect(later).toBeInstanceOf(Promise)
    expect(await later).toBe(event)
    expect(event.response).toEqual({ autoConfirmUser: true })
  })

  it('takes anything that can be awaited', async () => {
    // biome-ignore lint/suspicious/noThenProperty: promises of other libraries look like this
    const answer = { then: (done: (value: object) => void) => done({ autoConfirmUser: true }) }
    const event = preSignUpEvent()
    await route({ PreSignUp: () => answer as never }, event)
    expect(event.response).toEqual({ autoConfirmUser: true })
  })

  it('takes a middy handler, with middlewares of its own, as a route', async () => {
    const steps: string[] = []
    const handler = middy({ timeoutEarlyInMillis: 0 })
      .before(() => void steps.push('before'))
      .after(() => void steps.push('after'))
      .handler(async () => ({ autoConfirmUser: true }))
    const event = preSignUpEvent()
    await route({ PreSignUp_SignUp: handler }, event)
    expect(event.response).toEqual({ autoConfirmUser: true })
    expect(steps).toEqual(['before', 'after'])
  })

  it('passes on what a route throws, whatever it is', async () => {
    const boom = new Error('boom')
    const fail = (thrown: unknown) => () => {
      throw thrown
    }
    expect(() => route({ PreSignUp: fail(boom) }, preSignUpEvent())).toThrow(boom)
    expect(() => route({ PreSignUp: () => deny('Staff only') }, preSignUpEvent())).toThrow('Staff only')
    await expect(
      route({ PreSignUp: async () => fail(undefined)() }, preSignUpEvent()),
    ).rejects.toBeUndefined()
  })

  it.each([
    ['a misspelt trigger', { PreSignup: () => ({}) }, 'trigger source "PreSignup". Did you mean PreSignUp?'],
    ['a misspelt source', { PreSignUp_Signup: () => ({}) }, 'Did you mean PreSignUp_SignUp?'],
    ['a misspelt otherwise', { otherwize: () => ({}) }, 'Did you mean otherwise?'],
    ['something else', { a: () => ({}) }, 'There is no trigger or trigger source "a".'],
    [
      'an inherited name',
      { constructor: () => ({}) },
      'There is no trigger or trigger source "constructor".',
    ],
    ['no function', { PreSignUp: { autoConfirmUser: true } }, 'The route PreSignUp is not a function.'],
    ['no function to fall back upon', { otherwise: {} }, 'The route otherwise is not a function.'],
  ])('refuses %s at once', (_, routes, message) => {
    expect(() => triggerRouter(routes as never)).toThrow(InvalidOptionError)
    expect(() => triggerRouter(routes as never)).toThrow(message)
  })

  it('refuses options that nobody knows', () => {
    expect(() => triggerRouter({}, { decypt: () => '' } as never)).toThrow('Did you mean decrypt?')
  })
})

describe('answers', () => {
  it('go into the same event, whose other fields and order of keys stay', () => {
    const event = { extra: 1, ...preSignUpEvent(), last: { deep: ['x'] } }
    const keys = Object.keys(event)
    expect(route({ PreSignUp: () => ({ autoConfirmUser: true }) }, event)).toBe(event)
    expect(Object.keys(event)).toEqual(keys)
    expect(event).toMatchObject({ extra: 1, last: { deep: ['x'] }, response: { autoConfirmUser: true } })
  })

  it.each<[string, Routes, { readonly triggerSource: string }, string]>([
    [
      'autoConfrimUser: did you mean autoConfirmUser?',
      { PreSignUp: () => ({ autoConfrimUser: true }) as never },
      preSignUpEvent(),
      '/response/autoConfrimUser: expected no such field; did you mean autoConfirmUser?',
    ],
    [
      'one of another trigger',
      { PreSignUp: () => ({ answerCorrect: true }) as never },
      preSignUpEvent(),
      '/response/answerCorrect: expected one of the fields autoConfirmUser, autoVerifyEmail, autoVerifyPhone',
    ],
    [
      'one further down',
      { TokenGeneration: () => ({ claimsOverrideDetails: { claimsToSupress: [] } }) as never },
      tokenGenerationEvent(),
      '/response/claimsOverrideDetails/claimsToSupress: expected no such field; did you mean claimsToSuppress?',
    ],
    [
      'one where none is expected',
      { PreAuthentication: () => ({ allow: false }) as never },
      preAuthenticationEvent(),
      '/response/allow: expected nothing, because no answer is expected here',
    ],
    [
      'one with an inherited name',
      { PreSignUp: () => ({ toString: 1, 'a/b': 1 }) as never },
      preSignUpEvent(),
      '/response/a~1b: expected one of the fields',
    ],
    [
      'a text',
      { PreSignUp: () => 'yes' as never },
      preSignUpEvent(),
      '/response: expected an object, was a string',
    ],
    [
      'a list',
      { PreSignUp: () => [] as never },
      preSignUpEvent(),
      '/response: expected an object, was an array',
    ],
    [
      'a date',
      { PreSignUp: () => new Date() as never },
      preSignUpEvent(),
      '/response: expected an object, was another kind of object',
    ],
    [
      'false where nothing is expected',
      { PreAuthentication: () => false as never },
      preAuthenticationEvent(),
      '/response: expected nothing, because no answer is expected here, was a boolean',
    ],
  ])('are refused with fields that the trigger does not have: %s', (_, routes, event, message) => {
    expect(() => route(routes, event)).toThrow(InvalidResponseError)
    expect(() => route(routes, event)).toThrow(message)
    expect(event).toHaveProperty('response', {})
  })

  it('name the trigger source when they are refused', () => {
    expect(() => route({ PreSignUp: () => 'yes' as never }, preSignUpEvent())).toThrow(
      expect.objectContaining({ route: 'PreSignUp_SignUp' }),
    )
  })

  it('may be nothing, which leaves the response as it is', () => {
    const event = preSignUpEvent({}, { response: { autoConfirmUser: true } })
    expect(route({ PreSignUp: () => {} }, event)).toHaveProperty('response', { autoConfirmUser: true })
    expect(route({ PreSignUp: () => null as never }, event)).toHaveProperty('response', {
      autoConfirmUser: true,
    })
  })

  it('may be the event itself, filled in by hand', () => {
    const event = preSignUpEvent()
    const byHand: Routes = {
      PreSignUp: given => {
        given.response.autoConfirmUser = true
        return given as never
      },
    }
    expect(route(byHand, event)).toBe(event)
    expect(event.response).toEqual({ autoConfirmUser: true })
  })

  it('of none expected may be an empty object; of senders, anything', () => {
    const confirmed = postConfirmationEvent()
    expect(route({ PostConfirmation: () => ({}) as never }, confirmed)).toBe(confirmed)
    const sending = customEmailSenderEvent()
    expect(route({ CustomEmailSender: () => ({ messageId: 'm1' }) }, sending)).toBe(sending)
    expect(sending.response).toEqual({})
  })

  it('may be objects of any make', () => {
    class Answer {
      autoConfirmUser = true
    }
    const event = preSignUpEvent()
    route({ PreSignUp: () => new Answer() }, event)
    expect(event.response).toEqual({ autoConfirmUser: true })
    route({ PreSignUp: () => Object.assign(Object.create(null), { autoVerifyEmail: true }) }, event)
    expect(event.response).toEqual({ autoVerifyEmail: true })
  })

  it('to a source that nobody knows are refused, when the router is used without a validator', () => {
    const strange = { ...preSignUpEvent(), triggerSource: 'PreSignup' }
    expect(() => route({ otherwise: () => ({ a: 1 }) }, strange)).toThrow(InvalidResponseError)
    expect(route({ otherwise: passThrough }, strange)).toBe(strange)
  })
})

describe('decrypt', () => {
  const event = () => customEmailSenderEvent({ code: 'opaque' })
  const sent = (seen: unknown[]): Routes => ({
    CustomEmailSender: ({ request }) => void seen.push(request.code),
    otherwise: ({ request }) => void seen.push((request as { code?: string }).code),
  })

  it.each([
    ['a text', (code: string) => `plain ${code}`],
    ['a promise', async (code: string) => `plain ${code}`],
  ])('hands the route of a sender plain text, of which the event knows nothing: %s', async (_, decrypt) => {
    const seen: unknown[] = []
    const sending = event()
    const before = structuredClone(sending)
    expect(await triggerRouter(sent(seen), { decrypt })(sending, context, invocation)).toBe(sending)
    expect(seen).toEqual(['plain opaque'])
    expect(sending).toEqual(before)
  })

  it('serves `otherwise` too, leaves events without a code alone, and other triggers', async () => {
    const seen: unknown[] = []
    const router = triggerRouter(sent(seen), { decrypt: code => `plain ${code}` })
    await router(triggerEvent('CustomSMSSender_SignUp', { code: 'sms' }), context, invocation)
    await router(
      triggerEvent('CustomEmailSender_AccountTakeOverNotification', { code: null }),
      context,
      invocation,
    )
    await router(preAuthenticationEvent({ code: 'not mine' } as never), context, invocation)
    expect(seen).toEqual(['plain sms', null, 'not mine'])
  })

  it('fails the invocation when it fails itself', async () => {
    const failing = triggerRouter(sent([]), {
      decrypt: () => {
        throw new Error('no key')
      },
    })
    expect(() => failing(event(), context, invocation)).toThrow('no key')
  })
})
