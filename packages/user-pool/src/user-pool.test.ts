import { describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import {
  fromTaskEither,
  InvalidEventError,
  InvalidOptionError,
  InvalidResponseError,
  type Plugin,
  signalbox,
  UnknownEventError,
  UnroutedError,
} from '@signalbox/core'
import { sources, type TriggerEvent, triggerVerdict } from './contract/index.ts'
import { claims } from './response/claims.ts'
import { userPoolSerializer } from './response/serializer.ts'
import { deny } from './routing/deny.ts'
import { passThrough } from './routing/pass-through.ts'
import { triggerRouter } from './routing/trigger-router.ts'
import {
  customEmailSenderEvent,
  customMessageEvent,
  mutations,
  preSignUpEvent,
  tokenGenerationEvent,
  triggerEvent,
  userMigrationEvent,
} from './testing/index.ts'
import { leastAnswer } from './testing/least-answers.ts'
import { fuzz } from './user-pool.fuzz.ts'
import { userPool, userPoolNormalizer, userPoolValidator } from './user-pool.ts'

describe('userPool', () => {
  const handler = signalbox(
    userPool({
      PreSignUp_SignUp: ({ request }) => {
        if (!request.userAttributes.email?.toLowerCase().endsWith('@example.com'))
          deny('Staff addresses only')
        return { autoConfirmUser: true, autoVerifyEmail: true }
      },
      TokenGeneration: event => claims().set('tenant', 't1').suppress('email').for(event),
    }),
  )

  it.each<[string, object]>([
    ['an empty table', {}],
    ['a table with an undefined route', { PreSignUp: undefined }],
  ])('refuses %s, which could not handle any event', (_, routes) => {
    expect(() => userPool(routes as never)).toThrow(InvalidOptionError)
    expect(() => userPool(routes as never)).toThrow('The route table has no routes')
  })

  it('returns the same event with a filled response', async () => {
    const event = preSignUpEvent({ userAttributes: { email: 'ada@example.com' } })
    expect(await handler(event)).toBe(event)
    expect(event.response).toEqual({ autoConfirmUser: true, autoVerifyEmail: true })
  })

  it('fails with exactly the message that a route passes to deny()', async () => {
    const denied = handler(preSignUpEvent({ userAttributes: { email: 'eve@example.org' } }))
    await expect(denied).rejects.toMatchObject({ name: 'DeniedError', message: 'Staff addresses only' })
  })

  it('returns unknown fields of an event unchanged and in the same order', async () => {
    const text = JSON.stringify({ first: [1], ...tokenGenerationEvent(), last: { z: 1, a: { deep: null } } })
    const returned = await handler(JSON.parse(text))
    const sent = JSON.parse(text)
    expect(JSON.stringify(returned)).toBe(JSON.stringify({ ...sent, response: returned.response }))
  })

  it('leaves prototypes unchanged when the event has keys such as __proto__', async () => {
    const poison = `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"prototype":{"polluted":true}`
    const { request, ...common } = preSignUpEvent({ userAttributes: { email: 'ada@example.com' } })
    const inside = JSON.stringify({ ...request, validationData: undefined })
    const text = `${poison},${JSON.stringify(common).slice(1, -1)},"request":${poison},${inside.slice(1)}}`
    const event = JSON.parse(text)
    expect(await handler(event)).toBe(event)
    expect(Object.keys(event).slice(0, 3)).toEqual(['__proto__', 'constructor', 'prototype'])
    expect({}).not.toHaveProperty('polluted')
    expect(Object.prototype).not.toHaveProperty('polluted')
  })

  it.each<[string, unknown, unknown, string]>([
    ['a string', '{"triggerSource":"PreSignUp_SignUp"}', UnknownEventError, 'The event is a string'],
    ['null', null, UnknownEventError, 'The event is null'],
    ['an event of another family', { Records: [] }, UnknownEventError, 'The event has the fields Records'],
    [
      'an event with a misspelt source',
      { ...preSignUpEvent(), triggerSource: 'PreSignUp_Signup' },
      InvalidEventError,
      'the nearest is PreSignUp_SignUp',
    ],
    [
      'an invalid event',
      userMigrationEvent({ password: 7 as never }),
      InvalidEventError,
      '/request/password: expected string, was a number',
    ],
    [
      'an event without a route',
      userMigrationEvent(),
      UnroutedError,
      'No route for UserMigration_Authentication: the routes are PreSignUp_SignUp, TokenGeneration.',
    ],
  ])('rejects %s with an error that says what is wrong', async (_, event, kind, message) => {
    const failed = handler(event)
    await expect(failed).rejects.toBeInstanceOf(kind)
    await expect(failed).rejects.toThrow(message)
  })

  it('rejects an invalid answer with an error that names the source and the field', async () => {
    const careless = signalbox(
      userPool({
        CustomMessage: () => ({ smsMessage: 'Welcome!' }),
        UserMigration: () => ({ userAttributes: {}, finalUserStatus: 'DONE' as never }),
        DefineAuthChallenge: () => ({ issueTokens: true }) as never,
        otherwise: passThrough,
      }),
    )
    await expect(careless(customMessageEvent())).rejects.toThrow(
      'What CustomMessage_SignUp returned breaks the contract:\n/response/smsMessage: expected a text with the codeParameter',
    )
    await expect(careless(userMigrationEvent())).rejects.toThrow('/response/finalUserStatus: expected')
    await expect(careless(triggerEvent('DefineAuthChallenge_Authentication'))).rejects.toThrow(
      '/response/failAuthentication: expected boolean, was nothing',
    )
    // The route does not return the required answer.
    await expect(careless(triggerEvent('CreateAuthChallenge_Authentication'))).rejects.toBeInstanceOf(
      InvalidResponseError,
    )
  })

  it('accepts routes that are written with fp-ts', async () => {
    const left = { _tag: 'Left', left: new Error('closed') } as const
    const right = { _tag: 'Right', right: { autoConfirmUser: true } } as const
    const functional = signalbox(
      userPool({
        PreSignUp_SignUp: fromTaskEither(() => async () => right),
        PreSignUp_AdminCreateUser: fromTaskEither(() => async () => left),
      }),
    )
    expect((await functional(preSignUpEvent())).response).toEqual({ autoConfirmUser: true })
    await expect(
      functional(preSignUpEvent({}, { triggerSource: 'PreSignUp_AdminCreateUser' })),
    ).rejects.toThrow('closed')
  })

  it('gives middlewares normalized events, and checks the changes that they make', async () => {
    const seen: unknown[] = []
    const watched = signalbox(userPool({ PreSignUp: () => ({ autoConfirmUser: true }) }))
      .before((request: { event: { request: object } }) => void seen.push(request.event.request))
      .after(
        (request: { event: { request: { clientMetadata: object } }; response: { response: object } }) => {
          Object.assign(request.response.response, request.event.request.clientMetadata)
        },
      )
    const event = preSignUpEvent({ validationData: null, clientMetadata: {} } as never)
    await watched(event)
    expect(seen).toEqual([expect.objectContaining({ validationData: {} })])
    const spoilt = preSignUpEvent({ clientMetadata: { autoConfirmUser: 'a text' } })
    await expect(watched(spoilt)).rejects.toThrow('/response/autoConfirmUser: expected boolean')
  })

  it('fails when a middleware replaces the returned event with another value', async () => {
    const replaced = signalbox(userPool({ PreSignUp: () => ({}) })).after(
      (request: { response: unknown }) => {
        request.response = { ok: true }
      },
    )
    await expect(replaced(preSignUpEvent())).rejects.toThrow(
      "/triggerSource: expected the event's own value, was nothing",
    )
  })

  const suppressed = { claimsToSuppress: ['email'] }
  class Late {
    get claimsOverrideDetails() {
      return suppressed
    }
  }
  describe.each<[string, () => unknown]>([
    ['a promise', () => Promise.resolve({ claimsOverrideDetails: suppressed })],
    ['a Map', () => new Map([['claimsOverrideDetails', suppressed]])],
    ['an object that inherits its fields', () => Object.create({ claimsOverrideDetails: suppressed })],
    ['an instance with getters', () => new Late()],
    ['an object with toJSON', () => ({ claimsOverrideDetails: suppressed, toJSON: () => ({}) })],
  ])('refuses %s, whose JSON lacks its contents', (_, make) => {
    type Asked = { event: TriggerEvent; response: { response: unknown } | undefined }
    const denied = () => {
      throw new Error('denied')
    }
    const replaced = ({ event }: Asked) => ({ ...event, response: make() }) as never
    it.each([
      [
        'in the returned event',
        signalbox(userPool({ TokenGeneration: () => ({}) })).after((request: Asked) => {
          request.response!.response = make()
        }),
        '/response',
      ],
      [
        'in an early response',
        signalbox(userPool({ TokenGeneration: () => ({}) })).before(replaced),
        '/response',
      ],
      [
        'in a response to an error',
        signalbox(userPool({ TokenGeneration: denied })).onError(replaced),
        'denied',
      ],
    ])('%s', async (_place, handler, message) => {
      await expect(handler(tokenGenerationEvent())).rejects.toThrow(message)
    })
  })

  it.each([
    [
      'writes',
      (request: { response: unknown }) => void Object.assign(request, { response: { statusCode: 500 } }),
    ],
    ['returns', () => ({ statusCode: 500 }) as never],
    ['returns later', async () => ({ statusCode: 500 }) as never],
  ])('keeps the error of a sender when an onError hook %s a page', async (_, onError) => {
    const handler = signalbox(
      userPool({
        CustomEmailSender: () => {
          throw new Error('not sent')
        },
      }),
    )
    await expect(handler.onError(onError as never)(customEmailSenderEvent())).rejects.toThrow('not sent')
  })

  it('checks the answer of a route that calls the handler of its plugin for the same event', async () => {
    let isInner = false
    const plugin: Plugin<TriggerEvent, TriggerEvent> = userPool({
      PreSignUp: (event, context, invocation) => {
        if (isInner) return { autoConfirmUser: true }
        isInner = true
        plugin.handler(event as never, context, invocation)
        return { autoConfirmUser: 'yes' as never }
      },
    })
    await expect(signalbox(plugin)(preSignUpEvent())).rejects.toThrow(
      '/response/autoConfirmUser: expected boolean',
    )
  })

  describe('checks an answer again after the router has accepted it, and refuses it', () => {
    const kept: { autoConfirmUser: unknown }[] = []
    const routes = {
      PreSignUp_SignUp: () => {
        const answer = { autoConfirmUser: true }
        kept.push(answer)
        return answer
      },
    }
    const spoil = () => {
      kept.at(-1)!.autoConfirmUser = 'yes'
    }
    const plugin = userPool(routes)
    const later = userPool({
      PreSignUp_SignUp: async () => {
        const answer = routes.PreSignUp_SignUp()
        // This runs after the router has filled the event, and before the serializer.
        queueMicrotask(() => queueMicrotask(spoil))
        return answer
      },
    })
    it.each([
      ['when an after hook changes it', signalbox(plugin).after(spoil)],
      ['when an asynchronous after hook changes it', signalbox(plugin).after(async () => spoil())],
      [
        'when the handler around the router changes it',
        signalbox({
          ...plugin,
          handler: (event: never, context, invocation) => {
            const returned = plugin.handler(event, context, invocation)
            spoil()
            return returned
          },
        }),
      ],
      [
        'when another middleware of the plugin changes it',
        signalbox({ ...plugin, middlewares: [...plugin.middlewares, { after: spoil }] }),
      ],
      ['when an observer of middy changes it', signalbox(plugin, { afterHandler: spoil })],
      ['when the route keeps it and changes it later', signalbox(later)],
    ])('%s', async (_, handler) => {
      await expect(handler(preSignUpEvent())).rejects.toThrow('/response/autoConfirmUser: expected boolean')
    })

    it('when the same event comes again after an error, to another handler of the plugin', async () => {
      const answers = [{ autoConfirmUser: true }, undefined]
      const shared = userPool({ PreSignUp: () => answers.shift() })
      const failing = signalbox(shared).after(request => {
        request.response = undefined as never
        throw new Error('unknown user')
      })
      const event = preSignUpEvent()
      await expect(failing(event)).rejects.toThrow('unknown user')
      Object.assign(event, { response: { autoConfirmUser: 'yes' } })
      await expect(signalbox(shared)(event)).rejects.toThrow('/response/autoConfirmUser: expected boolean')
    })
  })

  it('refuses unknown options', () => {
    expect(() => userPool({}, { decrypter: String } as never)).toThrow('userPool() has no option "decrypter"')
  })

  it('reports the index of an undefined list item in an answer', async () => {
    const handler = signalbox(
      userPool({
        TokenGeneration: () =>
          ({ claimsOverrideDetails: { claimsToSuppress: ['email', undefined] } }) as never,
      }),
    )
    await expect(handler(tokenGenerationEvent())).rejects.toThrow(
      '/response/claimsOverrideDetails/claimsToSuppress/1: expected string, was undefined',
    )
  })
})

describe('the user-pool middlewares and router', () => {
  it('can be used in a middy stack without signalbox()', async () => {
    const stack = middy({ timeoutEarlyInMillis: 0 })
      .use([userPoolNormalizer(), userPoolValidator(), userPoolSerializer()])
      .handler(triggerRouter({ PreSignUp: () => ({ autoConfirmUser: true }) }))
    const event = preSignUpEvent({ validationData: null } as never)
    expect(await stack(event, {} as never)).toBe(event)
    expect(event).toMatchObject({ request: { validationData: {} }, response: { autoConfirmUser: true } })
    await expect(stack({ ...preSignUpEvent(), userName: 7 } as never, {} as never)).rejects.toThrow(
      '/userName: expected string',
    )
  })
})

describe('an event', () => {
  const handler = signalbox(userPool({ otherwise: leastAnswer }))

  it.each(sources)('of %s is returned as the contract requires', async source => {
    const event = triggerEvent(source)
    const sent = structuredClone(event)
    const returned = await handler(event)
    expect(returned).toBe(event)
    expect(triggerVerdict(JSON.stringify(returned), sent)).toMatchObject({ kind: 'accepted' })
  })

  // The normalizer repairs missing maps, a missing response and missing fields of the caller.
  const drift =
    /(Attributes|Data|Parameters|Configuration|attributes|response|SdkVersion|clientId) is (required|not null)$/

  it.each(sources)('of %s that breaks a rule is either normalized or refused', async source => {
    for (const { rule, pointer, event } of mutations(source)) {
      const result = await handler(event).catch((error: unknown) => error)
      if (drift.test(rule)) expect({ rule, result }).toEqual({ rule, result: event })
      else if (/^triggerSource is (required|not null|string)$/.test(rule)) {
        expect(result).toBeInstanceOf(UnknownEventError)
      } else expect({ rule, result }).toMatchObject({ rule, result: { problems: [{ pointer }] } })
    }
  })
})

it('any event and any route table result in a valid event or in a documented error', async () => {
  expect(await fuzz(1000)).toMatch(/^1000 events: \d+ answered/)
})
