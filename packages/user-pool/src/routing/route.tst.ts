import middy from '@middy/core'
import { signalbox } from '@signalbox/core'
import { describe, expect, test } from 'tstyche'
import type { TriggerEvent } from '../contract/index.ts'
import { customAuth, oneTimeCode } from '../index.ts'
import { claims } from '../response/claims.ts'
import { userPool } from '../user-pool.ts'
import { deny } from './deny.ts'
import { passThrough } from './pass-through.ts'
import type { Routes } from './route.ts'

describe('a route table', () => {
  test('gives each route the type of its event without annotations', () => {
    userPool({
      PreSignUp_SignUp: event => {
        expect(event.triggerSource).type.toBe<'PreSignUp_SignUp'>()
        expect(event.request.userAttributes.email).type.toBe<string | undefined>()
        expect(event.request.validationData.anything).type.toBe<string | undefined>()
        return {}
      },
      PreSignUp: event => {
        expect(event.triggerSource).type.toBe<
          'PreSignUp_SignUp' | 'PreSignUp_AdminCreateUser' | 'PreSignUp_ExternalProvider'
        >()
        return { autoVerifyPhone: true }
      },
      DefineAuthChallenge: ({ request }, context, { signal }) => {
        expect(request.session[0]?.challengeResult).type.toBe<boolean | undefined>()
        expect(context.requestId).type.toBe<string | undefined>()
        expect(signal).type.toBe<AbortSignal>()
        return { issueTokens: false, failAuthentication: true }
      },
      VerifyAuthChallengeResponse: ({ request }) => {
        expect(request.privateChallengeParameters.answer).type.toBe<string | undefined>()
        expect(request.challengeAnswer).type.toBe<string>()
        return { answerCorrect: true }
      },
      UserMigration: event => {
        if (event.triggerSource === 'UserMigration_Authentication') {
          expect(event.request.password).type.toBe<string>()
        } else {
          expect(event.request.password).type.toBe<undefined>()
        }
        return { userAttributes: {}, finalUserStatus: 'CONFIRMED' }
      },
      CustomEmailSender_AccountTakeOverNotification: ({ request }) => {
        expect(request.userAttributes.IP_ADDRESS).type.toBe<string | undefined>()
        expect(request.code).type.toBe<string | null | undefined>()
      },
      CustomSMSSender: ({ request }) => {
        expect(request.code).type.toBe<string>()
      },
    })
  })

  test('accepts an asynchronous route that calls deny()', () => {
    userPool({
      PreAuthentication: async ({ request }) => {
        if (request.userNotFound) deny('No such user')
      },
      PreSignUp: async ({ request }) => {
        if (request.userAttributes.email === undefined) deny('An e-mail address, please')
        return { autoConfirmUser: true }
      },
    })
  })

  test('refuses unknown keys', () => {
    userPool({
      // @ts-expect-error 'PreSignup' does not exist in type 'WrittenRoutes'. Did you mean to write 'PreSignUp'?
      PreSignup: () => ({}),
    })
  })

  test('refuses fields that belong to another trigger', () => {
    userPool({
      PreSignUp: () => ({ autoConfirmUser: true }),
      // @ts-expect-error Type 'boolean' is not assignable to type 'never'
      CreateAuthChallenge: () => ({
        publicChallengeParameters: {},
        privateChallengeParameters: {},
        autoConfirmUser: true,
      }),
    })
    userPool({
      // @ts-expect-error Type '{ answerCorrect: boolean; }' is not assignable to type 'void | AnsweredEvent<"PostConfirmation">
      PostConfirmation: () => ({ answerCorrect: true }),
    })
  })

  test('refuses a misspelt field', () => {
    userPool({
      // @ts-expect-error Type '{ autoConfrimUser: boolean; }' is not assignable to type
      PreSignUp: () => ({ autoConfrimUser: true }),
    })
  })

  test('refuses a field with the wrong type or an undeclared value', () => {
    userPool({
      // @ts-expect-error Type 'string' is not assignable to type 'boolean | null | undefined'
      PreSignUp: () => ({ autoConfirmUser: 'yes' }),
    })
    userPool({
      // @ts-expect-error Type '"DONE"' is not assignable to type '"CONFIRMED" | "RESET_REQUIRED"
      UserMigration: () => ({ userAttributes: {}, finalUserStatus: 'DONE' }),
    })
  })

  test('refuses an answer without a required field', () => {
    userPool({
      // @ts-expect-error Property 'failAuthentication' is missing
      DefineAuthChallenge: () => ({ issueTokens: true }),
    })
  })

  test('accepts a middy handler with its own middlewares as a route', () => {
    const confirm = middy()
      .before(() => {})
      .handler(async () => ({ autoConfirmUser: true }))
    const verify = middy<TriggerEvent<'PreSignUp_SignUp'>>().handler(async ({ request }) => ({
      autoVerifyEmail: request.userAttributes.email !== undefined,
    }))
    const wrap = middy(async () => ({ autoConfirmUser: true })).before(() => {})
    userPool({ PreSignUp_SignUp: confirm, PreSignUp_AdminCreateUser: wrap })
    userPool({
      PreSignUp_SignUp: verify,
      PreSignUp: middy(async () => ({ autoConfirmUser: true })).before(() => {}),
    })
  })

  test('accepts the spread routes of customAuth()', () => {
    userPool({
      ...customAuth({ challenges: [oneTimeCode({ send: code => expect(code).type.toBe<string>() })] }),
      TokenGeneration: () => ({
        claimsOverrideDetails: { claimsToAddOrOverride: { tenant: 't1' }, claimsToSuppress: ['email'] },
      }),
      otherwise: passThrough,
    })
  })

  test('cannot be passed to userPool() with an unknown option', () => {
    // @ts-expect-error 'decypt' does not exist in type
    userPool({}, { decypt: (code: string) => code })
  })

  test('becomes a handler that returns the event', () => {
    expect(signalbox(userPool({}))).type.toBeCallableWith({})
    signalbox(userPool({}))({}).then(event => expect(event.userName).type.toBe<string>())
  })

  test('can be declared outside of userPool()', () => {
    const routes = {
      PreSignUp: ({ request }) => ({ autoConfirmUser: request.userAttributes.email !== undefined }),
    } satisfies Routes
    userPool(routes)
  })

  test('causes a compile error that contains the misspelt name of a field', () => {
    userPool({
      // @ts-expect-error Type '{ autoConfirmuser: boolean; }' is not assignable to type 'void | ({ readonly autoConfirmUser?:
      PreSignUp: () => ({ autoConfirmuser: true }),
    })
  })

  test('causes a compile error that suggests for(event) when a route returns claims()', () => {
    userPool({
      // @ts-expect-error Type '"end the calls with .for(event), and return what it returns"' has no properties in common
      TokenGeneration: () => claims().set('tenant', 't1'),
    })
  })

  test('causes a compile error that suggests "pool:user_status" when a route reads "cognito:user_status"', () => {
    userPool({
      PreAuthentication: ({ request: { userAttributes } }) => {
        // @ts-expect-error types 'Hint<"write pool:user_status"> | undefined' and 'string' have no overlap
        if (userAttributes['cognito:user_status'] !== 'CONFIRMED') deny('Not yet')
        // @ts-expect-error Property 'endsWith' does not exist on type 'Hint<"write pool:email_alias">'
        if (userAttributes['cognito:email_alias']?.endsWith('@example.com')) deny('Not yet')
        // @ts-expect-error such as pool:user_status" | undefined' and '"yes"' have no overlap
        if (userAttributes['cognito:other'] === 'yes') deny('Not yet')
        // @ts-expect-error '"unknown name with pool:, unlike pool:user_status" | undefined' and '"CONFIRMED"'
        if (userAttributes['pool:usr_status'] !== 'CONFIRMED') deny('Not yet')
        if (userAttributes['pool:user_status'] !== 'CONFIRMED') deny('Not yet')
        if (userAttributes['pool:email_alias']?.endsWith('@example.com')) deny('Not yet')
        const texts: { readonly [name: string]: string | undefined } = userAttributes
        expect(Object.values(userAttributes)).type.toBe<(string | undefined)[]>()
        return texts.email === undefined ? deny('Not yet') : undefined
      },
    })
  })

  test('gives the event the type TriggerEvent in the hooks of a middleware', () => {
    signalbox(userPool({ PreSignUp: () => ({}) })).use({
      before: ({ event }) => {
        expect(event).type.toBe<TriggerEvent>()
      },
      after: ({ response }) => {
        expect(response).type.toBe<TriggerEvent | undefined>()
      },
    })
    signalbox(userPool({ PreSignUp: () => ({}) })).before(({ event }) => {
      expect(event.userName).type.toBe<string>()
    })
  })
})
