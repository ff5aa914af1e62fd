import { describe, expect, it } from '@jest/globals'
import { InvalidResponseError, signalbox } from '@signalbox/core'
import type { TriggerEvent } from '../contract/index.ts'
import { passThrough, type Routes, triggerRouter } from '../index.ts'
import {
  customEmailSenderEvent,
  defineAuthChallengeEvent,
  postConfirmationEvent,
  preAuthenticationEvent,
  preSignUpEvent,
  tokenGenerationEvent,
} from '../testing/index.ts'
import { userPool } from '../user-pool.ts'

const invocation = { signal: new AbortController().signal }
const context = { requestId: 'r1' }
const route = (routes: Routes, event: { readonly triggerSource: string }) =>
  triggerRouter(routes)(event as never, context, invocation)

describe('answers of routes', () => {
  it('are written into the original event without changing its other fields or their order', () => {
    const event = { extra: 1, ...preSignUpEvent(), last: { deep: ['x'] } }
    const keys = Object.keys(event)
    expect(route({ PreSignUp: () => ({ autoConfirmUser: true }) }, event)).toBe(event)
    expect(Object.keys(event)).toEqual(keys)
    expect(event).toMatchObject({ extra: 1, last: { deep: ['x'] }, response: { autoConfirmUser: true } })
  })

  it.each<[string, Routes, { readonly triggerSource: string }, string]>([
    [
      'objects with a misspelt field',
      { PreSignUp: () => ({ autoConfrimUser: true }) as never },
      preSignUpEvent(),
      '/response/autoConfrimUser: expected no such field; did you mean autoConfirmUser?',
    ],
    [
      'objects with a field of another trigger',
      { PreSignUp: () => ({ answerCorrect: true }) as never },
      preSignUpEvent(),
      '/response/answerCorrect: expected one of the fields autoConfirmUser, autoVerifyEmail, autoVerifyPhone',
    ],
    [
      'objects with a misspelt nested field',
      { TokenGeneration: () => ({ claimsOverrideDetails: { claimsToSupress: [] } }) as never },
      tokenGenerationEvent(),
      '/response/claimsOverrideDetails/claimsToSupress: expected no such field; did you mean claimsToSuppress?',
    ],
    [
      'objects for a trigger that expects no answer',
      { PreAuthentication: () => ({ allow: false }) as never },
      preAuthenticationEvent(),
      '/response/allow: expected nothing, because no answer is expected here',
    ],
    [
      'objects with a field named toString',
      { PreSignUp: () => ({ toString: 1, 'a/b': 1 }) as never },
      preSignUpEvent(),
      '/response/a~1b: expected one of the fields',
    ],
    [
      'strings instead of objects',
      { PreSignUp: () => 'yes' as never },
      preSignUpEvent(),
      '/response: expected an object, was a string',
    ],
    [
      'lists instead of objects',
      { PreSignUp: () => [] as never },
      preSignUpEvent(),
      '/response: expected an object, was a list',
    ],
    [
      'dates instead of plain objects',
      { PreSignUp: () => new Date() as never },
      preSignUpEvent(),
      '/response: expected an object, was another kind of object',
    ],
    [
      'false for a trigger that expects no answer',
      { PreAuthentication: () => false as never },
      preAuthenticationEvent(),
      '/response: expected nothing, because no answer is expected here, was a boolean',
    ],
  ])('are refused when they are %s', (_, routes, event, message) => {
    expect(() => route(routes, event)).toThrow(InvalidResponseError)
    expect(() => route(routes, event)).toThrow(message)
    expect(event).toHaveProperty('response', {})
  })

  it('are written into a copy when the event is frozen', () => {
    const event = Object.freeze({ ...preSignUpEvent(), response: { autoConfirmUser: false } })
    expect(route({ PreSignUp: () => {} }, event)).toBe(event)
    expect(route({ PreSignUp: () => ({ autoConfirmUser: true }) }, event)).toEqual({
      ...event,
      response: { autoConfirmUser: true },
    })
    expect(event.response).toEqual({ autoConfirmUser: false })
  })

  it('cause an error that names the trigger source when they are invalid', () => {
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

  it('may be the event itself if the route has written the response into it', () => {
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

  it('may be a copy of the event with the response', () => {
    const event = preSignUpEvent()
    const copying: Routes = {
      PreSignUp: given => ({ ...given, response: { autoConfirmUser: true } }) as never,
    }
    expect(route(copying, event)).toBe(event)
    expect(event.response).toEqual({ autoConfirmUser: true })
  })

  it.each<[string, object, string]>([
    [
      'has a misspelt field',
      { response: { autoConfrimUser: true } },
      '/response/autoConfrimUser: expected no',
    ],
    ['has no object', { response: undefined }, '/response: expected an object, was nothing'],
    ['is of another user', { userName: 'eve', response: {} }, "/userName: expected the event's own value"],
  ])('may not be a copy of the event whose response %s', (_, changes, message) => {
    const copying: Routes = { PreSignUp: given => ({ ...given, ...changes }) as never }
    expect(() => route(copying, preSignUpEvent())).toThrow(message)
  })

  it.each(['triggerSource', 'userPoolId', 'userName'] as const)(
    'are refused, though exact, when the route has changed %s',
    async field => {
      const event = preSignUpEvent()
      const changing: Routes = {
        PreSignUp: given => {
          Object.assign(given, { [field]: `another ${given[field]}` })
          return { autoConfirmUser: true }
        },
      }
      const message = `/${field}: expected the event's own value`
      expect(() => route(changing, structuredClone(event))).toThrow(message)
      await expect(signalbox(userPool(changing))(structuredClone(event))).rejects.toThrow(message)
    },
  )

  it.each<[string, Routes]>([
    [
      'returns undefined',
      {
        PreSignUp: event => {
          Object.assign(event.response, { autoConfrimUser: true })
        },
      },
    ],
    [
      'returns the event',
      {
        PreSignUp: event => {
          Object.assign(event.response, { autoConfrimUser: true })
          return event
        },
      },
    ],
  ])('are refused when the route writes a misspelt field into the event and %s', (_, routes) => {
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
          Object.assign(event.response, { autoConfrimUser: true })
        },
      },
      preSignUpEvent(),
      '/response/autoConfrimUser: expected no such field; did you mean autoConfirmUser?',
    ],
    [
      'a Map, whose JSON is {}',
      { claimsOverrideDetails: null },
      {
        TokenGeneration: async event => {
          event.response.claimsOverrideDetails = {
            claimsToAddOrOverride: new Map([['tenant', 't1']]) as never,
          }
          return event
        },
      },
      tokenGenerationEvent(),
      '/response/claimsOverrideDetails/claimsToAddOrOverride: expected a plain object',
    ],
    [
      'a field that the trigger does not have',
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
    'are refused when a response that already had fields gets %s from the route',
    async (_, response, routes, event, message) => {
      const answering = async () => route(routes, { ...event, response: { ...response } } as never)
      await expect(answering()).rejects.toThrow(message)
      await expect(answering()).rejects.toHaveProperty('problems.length', 1)
    },
  )

  it('are refused when the route writes a Map into the event, because its JSON is {}', () => {
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
    ['a toJSON method', Object.assign(['email'], { toJSON: () => 'email' })],
  ])('are refused when they contain lists with %s', (_, claimsToSuppress) => {
    const routes: Routes = {
      TokenGeneration: () => ({ claimsOverrideDetails: { claimsToSuppress } }) as never,
    }
    expect(() => route(routes, tokenGenerationEvent())).toThrow(
      '/response/claimsOverrideDetails/claimsToSuppress: expected a list without holes',
    )
  })

  it('may change and extend a response that already has fields', () => {
    const event = preSignUpEvent({}, { response: { brandNew: null } })
    const byHand: Routes = {
      PreSignUp: given => {
        Object.assign(given.response, { brandNew: 1, autoConfirmUser: true })
      },
    }
    expect(route(byHand, event)).toBe(event)
    expect(event.response).toEqual({ brandNew: 1, autoConfirmUser: true })
  })

  it('may repeat a field that the response already has', () => {
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

  it('may be {} for a trigger that expects no answer, and may be any value for a sender', () => {
    const confirmed = postConfirmationEvent()
    expect(route({ PostConfirmation: () => ({}) as never }, confirmed)).toBe(confirmed)
    const sending = customEmailSenderEvent()
    expect(route({ CustomEmailSender: () => ({ messageId: 'm1' }) }, sending)).toBe(sending)
    expect(sending).toEqual(customEmailSenderEvent())
  })

  it('may be instances of classes or objects without a prototype', () => {
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
      'a getter from their class',
      new (class {
        get autoConfirmUser() {
          return true
        }
      })(),
    ],
    ['a field from their prototype', Object.create({ autoConfirmUser: true })],
  ])('are refused when they have %s, which JSON would omit', (_, answer) => {
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
      '/response/toJSON: expected nothing, was a function',
    )
  })

  it.each<[string, unknown, string]>([
    ['a Map', { claimsToAddOrOverride: new Map([['tenant', 't1']]) }, '/claimsToAddOrOverride'],
    ['a date', new Date(0), ''],
    ['a list', { groupOverrideDetails: [] }, '/groupOverrideDetails'],
  ])('are refused when they contain %s instead of a nested object', (_, claimsOverrideDetails, pointer) => {
    const routes: Routes = { TokenGeneration: () => ({ claimsOverrideDetails }) as never }
    expect(() => route(routes, tokenGenerationEvent())).toThrow(
      `/response/claimsOverrideDetails${pointer}: expected a plain object, was a`,
    )
  })

  it.each(['triggerSource', 'userPoolId', 'userName'] as const)(
    'are refused when the route changed the %s of its event',
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

  it('are refused for an unknown source even when the router runs without a validator', () => {
    const strange = { ...preSignUpEvent(), triggerSource: 'PreSignup' }
    expect(() => route({ otherwise: () => ({ a: 1 }) }, strange)).toThrow(InvalidResponseError)
    expect(route({ otherwise: passThrough }, strange)).toBe(strange)
  })
})
