import { awsRoute } from '@signalbox/aws'
import type { InvocationContext, Middleware, Plugin } from '@signalbox/core'
import { memoryStore } from '@signalbox/core'
import {
  claims,
  customAuth,
  deny,
  message,
  once,
  oneTimeCode,
  passThrough,
  type Routes,
  type TriggerEvent,
  userPool,
} from '@signalbox/user-pool'
import type { Source, TriggerResponse } from '@signalbox/user-pool/contract'
import { triggerEvent } from '@signalbox/user-pool/testing'
import { expectAnswer, expectError, type Outcome, oneOf, type Planned } from './planned.ts'
import {
  clock,
  current,
  maybePause,
  pause,
  see,
  seeOwn,
  untilAborted,
  type Visit,
  violation,
} from './visit.ts'

type Decide = (event: TriggerEvent) => unknown

/** Does what the event asks for: answers, denies, fails, waits for its time-out, or answers what is wrong. */
function asAsked(answer: Decide) {
  return (event: TriggerEvent, context: InvocationContext, { signal }: { readonly signal: AbortSignal }) => {
    const act = (): unknown => {
      seeOwn('a trigger', event)
      seeOwn('the context of a trigger', context)
      const asked = /asked-(\w+)/.exec(JSON.stringify(event.request))?.[1]
      current().runs++
      if (asked === 'deny') deny(`denied ${event.userName}`)
      if (asked === 'fail') throw new Error(`failed ${event.userName}`)
      if (asked === 'wait') return untilAborted(signal)
      return asked === 'err' ? { autoConfirm: event.userName } : answer(event)
    }
    const waiting = maybePause()
    return (waiting ? waiting.then(act) : act()) as never
  }
}

const auth = customAuth({
  challenges: [
    {
      name: 'mark',
      async create(event) {
        await pause()
        seeOwn('a challenge', event)
        return { publicParameters: { mark: event.userName }, privateParameters: { mark: event.userName } }
      },
      async verify({ answer, privateParameters, event }) {
        await pause()
        seeOwn('an attempt', answer, privateParameters, event)
        return answer === privateParameters.mark
      },
    },
    oneTimeCode({ send: (_, event) => seeOwn('a code', event), clock }),
  ],
})

const invitation = message(
  { sms: '{name} {code}', email: { subject: 'Hello {name}', html: '<p>{name} {code}</p>' } },
  ({ userName }) => ({ name: userName }),
)

const routes: Routes = {
  ...auth,
  PreSignUp: asAsked(() => ({ autoConfirmUser: true })),
  PreAuthentication: asAsked(() => undefined),
  PostAuthentication: awsRoute(async (event: { userName: string }, context: object) => {
    await pause()
    seeOwn('a handler of AWS', event, context)
    return event
  }),
  PostConfirmation: asAsked(() => undefined),
  TokenGeneration: asAsked(event =>
    claims()
      .set('mark', event.userName)
      .suppress('email')
      .groups([event.userName])
      .for(event as never),
  ),
  CustomMessage: asAsked(event => invitation(event as never)),
  UserMigration: asAsked(({ userName }) => ({
    userAttributes: { email: `${userName}@example.com` },
    finalUserStatus: 'CONFIRMED',
  })),
  CustomEmailSender: asAsked(event => {
    const { code } = event.request as { readonly code: string }
    if (code !== `code of ${event.userName}`) throw new Error(`the code is ${code}`)
  }),
  InboundFederation: asAsked(({ userName }) => ({ userAttributesToMap: { mark: userName } })),
  otherwise: passThrough,
}

const options = {
  async decrypt(code: string) {
    await pause()
    seeOwn('decrypt', code)
    return code.replace('sealed', 'code')
  },
}

export const poolRoutes = [routes, options] as const

export function poolPlugin(): Plugin {
  return userPool(routes, options) as Plugin
}

export function poolOnce(): Middleware {
  return once({ store: memoryStore({ clock }), triggers: ['PostConfirmation', 'CustomEmailSender'], clock })
}

const answers: { readonly [S in Source]?: (mark: string) => TriggerResponse } = {
  PreSignUp_SignUp: () => ({ autoConfirmUser: true }),
  PreAuthentication_Authentication: () => ({}),
  PostAuthentication_Authentication: () => ({}),
  PostConfirmation_ConfirmSignUp: () => ({}),
  TokenGeneration_Authentication: mark => ({
    claimsOverrideDetails: {
      claimsToAddOrOverride: { mark },
      claimsToSuppress: ['email'],
      groupOverrideDetails: { groupsToOverride: [mark] },
    },
  }),
  CustomMessage_SignUp: mark => ({
    smsMessage: `${mark} {####}`,
    emailSubject: `Hello ${mark}`,
    emailMessage: `<p>${mark} {####}</p>`,
  }),
  DefineAuthChallenge_Authentication: () => ({
    challengeName: 'CUSTOM_CHALLENGE',
    issueTokens: false,
    failAuthentication: false,
  }),
  CreateAuthChallenge_Authentication: mark => ({
    publicChallengeParameters: { mark },
    privateChallengeParameters: { mark, 'signalbox:challenge': 'mark' },
    challengeMetadata: 'mark',
  }),
  VerifyAuthChallengeResponse_Authentication: () => ({ answerCorrect: true }),
  UserMigration_Authentication: mark => ({
    userAttributes: { email: `${mark}@example.com` },
    finalUserStatus: 'CONFIRMED',
  }),
  CustomEmailSender_SignUp: () => ({}),
  InboundFederation_ExternalProvider: mark => ({ userAttributesToMap: { mark } }),
}

const sources = Object.keys(answers) as Source[]

const session = [
  { challengeName: 'SRP_A', challengeResult: true },
  { challengeName: 'PASSWORD_VERIFIER', challengeResult: true },
] as const

/** Makes an event of a user pool. */
export function poolEvent(own: Visit): Planned {
  const { mark, random } = own
  const source = oneOf(own, ...sources)
  const isAuth = /Challenge|PostAuthentication/.test(source)
  const asked = isAuth || random(4) > 0 ? 'answer' : oneOf(own, 'deny', 'fail', 'wait', 'err', 'invalid')
  const marked = { sub: mark, email: `${mark}@example.com`, 'custom:asked': `asked-${asked}` }
  const request = requestOf(source, mark, marked)
  const event = triggerEvent(source, request as never, { userName: mark, region: `region-${mark}` })
  if (asked === 'invalid') breakEvent(event, mark)
  const kind = `${source} ${asked}`
  const isOnce = /PostConfirmation|CustomEmailSender/.test(source)
  const isSender = source.startsWith('CustomEmailSender')
  const again = isOnce && asked === 'answer' && random(3) === 0 ? 'meanwhile' : undefined
  const check = (outcome: Outcome) => {
    if (asked === 'answer' || (asked === 'err' && isSender)) {
      const { response } = ('answer' in outcome ? outcome.answer : {}) as { readonly response?: unknown }
      // A sender has no answer, and a normalizer adds an empty one.
      expectAnswer(
        own,
        kind,
        'error' in outcome ? outcome : { answer: response ?? {} },
        answers[source]!(mark),
      )
      seeOwn(`${kind}, its answer`, JSON.stringify(outcome))
    } else if (asked === 'invalid') expectError(own, kind, outcome, 'InvalidEventError')
    else if (asked === 'err') expectError(own, kind, outcome, 'InvalidResponseError')
    else if (asked === 'wait') expectError(own, kind, outcome, 'TimeoutError')
    else expectError(own, kind, outcome, `${asked === 'deny' ? 'denied' : 'failed'} ${mark}`)
    if ('error' in outcome) see(`${kind}, its error`, outcome.error)
  }
  return {
    event,
    kind,
    again,
    timeout: asked === 'wait' ? 300 + random(500) : 60_000,
    check,
    checkAll() {
      if (again && own.runs !== 1) violation(`${kind} of ${mark} ran ${own.runs} times`)
    },
  }
}

/** Returns the fields of a request that have the mark. */
function requestOf(source: Source, mark: string, marked: { readonly [name: string]: string }): object {
  const challenge = { mark, 'signalbox:challenge': 'mark' }
  if (source === 'InboundFederation_ExternalProvider')
    return { attributes: { tokenResponse: {}, idToken: marked, userInfo: {}, samlResponse: {} } }
  if (source === 'UserMigration_Authentication') return { validationData: marked }
  return {
    userAttributes: marked,
    ...(source === 'CustomEmailSender_SignUp' && { code: `sealed of ${mark}` }),
    ...(/DefineAuth|CreateAuth/.test(source) && { session }),
    ...(source.startsWith('VerifyAuth') && { privateChallengeParameters: challenge, challengeAnswer: mark }),
  }
}

/** Gives an event a problem whose pointer has the mark, where the event has attributes. */
function breakEvent(event: object, mark: string): void {
  const { request } = event as { readonly request: { userAttributes?: unknown } }
  if (request.userAttributes === undefined) Object.assign(event, { version: 7 })
  else request.userAttributes = { [mark]: [] }
}
