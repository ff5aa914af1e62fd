import { describe, expect, it } from '@jest/globals'
import { InvalidResponseError } from '@signalbox/core'
import type { TriggerEvent } from '../contract/index.ts'
import { passThrough } from '../routing/pass-through.ts'
import type { Routes } from '../routing/route.ts'
import { triggerRouter } from '../routing/trigger-router.ts'
import {
  customEmailSenderEvent,
  defineAuthChallengeEvent,
  postConfirmationEvent,
  preAuthenticationEvent,
  preSignUpEvent,
  tokenGenerationEvent,
} from '../testing/index.ts'

const invocation = { signal: new AbortController().signal }
const context = { requestId: 'r1' }
const route = (routes: Routes, event: { readonly triggerSource: string }) =>
  triggerRouter(routes)(event as never, context, invocation)

describe('answers', () => {
  it('fill the same event and keep its other fields and their order', () => {
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
      '/response: expected an object, was a list',
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

  it('fill a copy of a frozen event; without an answer the event itself is returned', () => {
    const event = Object.freeze({ ...preSignUpEvent(), response: { autoConfirmUser: false } })
    expect(route({ PreSignUp: () => {} }, event)).toBe(event)
    expect(route({ PreSignUp: () => ({ autoConfirmUser: true }) }, event)).toEqual({
      ...event,
      response: { autoConfirmUser: true },
    })
    expect(event.response).toEqual({ autoConfirmUser: false })
  })

  it('that are invalid cause an error that names the trigger source', () => {
    expect(() => route({ PreSignUp: () => 'yes' as never }, preSignUpEvent())).toThrow(
      expect.objectContaining({ route: 'PreSignUp_SignUp' }),
    )
  })

  it('may be undefined, which leaves the response unchanged', () => {
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

  it.each<[string, Routes]>([
    [
      'nothing returned',
      {
        PreSignUp: event => {
          event.response.autoConfrimUser = true
        },
      },
    ],
    [
      'the event returned',
      {
        PreSignUp: event => {
          event.response.autoConfrimUser = true
          return event as never
        },
      },
    ],
  ])('that the route fills in are checked in the same way: %s', (_, routes) => {
    expect(() => route(routes, preSignUpEvent())).toThrow(
      'autoConfrimUser: expected no such field; did you mean',
    )
    const without = preSignUpEvent({}, { response: undefined as never })
    expect(route({ PreSignUp: () => {} }, without)).toBe(without)
    const before = preSignUpEvent({}, { response: { strange: 1 } })
    expect(route({ PreSignUp: () => {} }, before)).toHaveProperty('response', { strange: 1 })
  })

  // Real pools send the fields of an answer as null or false instead of an empty object.
  it.each<[string, object, Routes, { readonly triggerSource: string }, string]>([
    [
      'a misspelt field',
      { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
      {
        PreSignUp: event => {
          event.response.autoConfrimUser = true
        },
      },
      preSignUpEvent(),
      '/response/autoConfrimUser: expected no such field; did you mean autoConfirmUser?',
    ],
    [
      'a Map, which JSON would write as {}',
      { claimsOverrideDetails: null },
      {
        TokenGeneration: async event => {
          event.response.claimsOverrideDetails = { claimsToAddOrOverride: new Map([['tenant', 't1']]) }
          return event as never
        },
      },
      tokenGenerationEvent(),
      '/response/claimsOverrideDetails/claimsToAddOrOverride: expected a plain object',
    ],
    [
      'a field beside one that the platform has, and the trigger has not',
      { brandNew: null },
      {
        PreAuthentication: event => {
          event.response.allow = false
        },
      },
      preAuthenticationEvent(),
      '/response/allow: expected nothing, because no answer is expected here',
    ],
  ])(
    'filled in by hand are looked at also where the response was not empty: %s',
    async (_, response, routes, event, message) => {
      const answering = async () => route(routes, { ...event, response: { ...response } } as never)
      await expect(answering()).rejects.toThrow(message)
      await expect(answering()).rejects.toHaveProperty('problems.length', 1)
    },
  )

  it('that the route fills in are refused as a Map, which JSON would turn into {}', () => {
    const routes: Routes = {
      PreSignUp: event => {
        event.response = new Map([['autoConfirmUser', true]]) as never
      },
    }
    expect(() => route(routes, preSignUpEvent())).toThrow(
      '/response: expected an object, was another kind of object',
    )
  })

  it.each<[string, unknown]>([
    ['holes, which JSON fills with null', Object.assign(new Array(2), { 1: 'email' })],
    ['a form of their own in JSON', Object.assign(['email'], { toJSON: () => 'email' })],
  ])('are refused with lists that have %s', (_, claimsToSuppress) => {
    const routes: Routes = {
      TokenGeneration: () => ({ claimsOverrideDetails: { claimsToSuppress } }) as never,
    }
    expect(() => route(routes, tokenGenerationEvent())).toThrow(
      '/response/claimsOverrideDetails/claimsToSuppress: expected a list without holes',
    )
  })

  it('that a route fills in may extend fields that the event already has', () => {
    const event = preSignUpEvent({}, { response: { brandNew: null } })
    const byHand: Routes = {
      PreSignUp: given => {
        Object.assign(given.response, { brandNew: 1, autoConfirmUser: true })
      },
    }
    expect(route(byHand, event)).toBe(event)
    expect(event.response).toEqual({ brandNew: 1, autoConfirmUser: true })
  })

  it('may repeat a field that the event’s response had already', () => {
    const event = { ...preSignUpEvent(), response: { brandNew: null, autoConfirmUser: false } }
    const answers = (answer: (response: object) => object) =>
      route({ PreSignUp: given => answer(given.response) as never }, structuredClone(event))
    expect(answers(response => response)).toEqual(event)
    expect(answers(response => ({ ...response, autoConfirmUser: true }))).toHaveProperty('response', {
      brandNew: null,
      autoConfirmUser: true,
    })
    expect(() => answers(response => ({ ...response, brandNwe: 1 }))).toThrow('/response/brandNwe')
  })

  it('may be {} where none is expected, and anything for senders', () => {
    const confirmed = postConfirmationEvent()
    expect(route({ PostConfirmation: () => ({}) as never }, confirmed)).toBe(confirmed)
    const sending = customEmailSenderEvent()
    expect(route({ CustomEmailSender: () => ({ messageId: 'm1' }) }, sending)).toBe(sending)
    expect(sending.response).toEqual({})
  })

  it('may be instances of classes and objects without a prototype', () => {
    class Answer {
      autoConfirmUser = true
    }
    const event = preSignUpEvent()
    route({ PreSignUp: () => new Answer() }, event)
    expect(event.response).toEqual({ autoConfirmUser: true })
    route({ PreSignUp: () => Object.assign(Object.create(null), { autoVerifyEmail: true }) }, event)
    expect(event.response).toEqual({ autoVerifyEmail: true })
  })

  it.each<[string, object]>([
    [
      'a getter of its class',
      new (class {
        get autoConfirmUser() {
          return true
        }
      })(),
    ],
    ['a field of its prototype', Object.create({ autoConfirmUser: true })],
  ])('are refused with %s, which JSON would leave out', (_, answer) => {
    expect(() => route({ PreSignUp: () => answer }, preSignUpEvent())).toThrow(
      "/response/autoConfirmUser: expected a field of the answer's own, was an inherited one",
    )
  })

  it('are refused when their JSON differs from the checked value', () => {
    class Refusal {
      issueTokens = false
      failAuthentication = true
      toJSON() {
        return { issueTokens: true, failAuthentication: false }
      }
    }
    expect(() => route({ DefineAuthChallenge: () => new Refusal() }, defineAuthChallengeEvent())).toThrow(
      '/response/toJSON: expected a field of',
    )
  })

  it.each<[string, unknown, string]>([
    ['a Map for a map', { claimsToAddOrOverride: new Map([['tenant', 't1']]) }, '/claimsToAddOrOverride'],
    ['a date for an object', new Date(0), ''],
    ['a list for an object', { groupOverrideDetails: [] }, '/groupOverrideDetails'],
  ])('are refused with %s in a nested field', (_, claimsOverrideDetails, pointer) => {
    const routes: Routes = { TokenGeneration: () => ({ claimsOverrideDetails }) as never }
    expect(() => route(routes, tokenGenerationEvent())).toThrow(
      `/response/claimsOverrideDetails${pointer}: expected a plain object, was a`,
    )
  })

  it.each(['triggerSource', 'userPoolId', 'userName'] as const)(
    'are refused from a route that changed the %s of its event, which identifies it',
    field => {
      const vandal = (event: TriggerEvent) => {
        event[field] = 'PreAuthentication_Authentication' as never
      }
      for (const event of [preSignUpEvent(), preAuthenticationEvent(), customEmailSenderEvent()]) {
        const source = event.triggerSource
        if (field === 'triggerSource' && source.startsWith('PreAuth')) continue
        expect(() => route({ otherwise: vandal }, event)).toThrow(
          `What ${source} returned breaks the contract:\n/${field}: expected the event's own value`,
        )
      }
    },
  )

  it('to an unknown source are refused when the router runs without a validator', () => {
    const strange = { ...preSignUpEvent(), triggerSource: 'PreSignup' }
    expect(() => route({ otherwise: () => ({ a: 1 }) }, strange)).toThrow(InvalidResponseError)
    expect(route({ otherwise: passThrough }, strange)).toBe(strange)
  })
})
