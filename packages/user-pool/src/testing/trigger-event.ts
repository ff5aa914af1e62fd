import { nearest } from '@signalbox/codec'
import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core/base'
import {
  type KnownSource,
  type Source,
  sourcesOf,
  type Trigger,
  type TriggerEvent,
  type TriggerRequest,
} from '../contract/index.ts'
import { givenSource } from './given-source.ts'
import { sampleRequests } from './samples.ts'

/** The fields of an event besides its request. */
export interface Envelope {
  readonly version?: string
  readonly region?: string
  readonly userPoolId?: string
  readonly userName?: string
  readonly callerContext?: { readonly cloudSdkVersion: string; readonly clientId: string }
  readonly response?: { readonly [field: string]: unknown }
}

/** The fields of the event besides the request, including the trigger source. */
export interface EnvelopeOf<T extends Trigger> extends Envelope {
  readonly triggerSource?: Extract<Source, `${T}_${string}`>
}

/**
 * Returns a valid event of any trigger source. The given fields of the request replace the samples. Each call makes a
 * new event.
 *
 * @throws InvalidOptionError for an unknown source, an unknown field of the event, or a misspelt field of the request
 * @example
 * triggerEvent('PreSignUp_SignUp', { userAttributes: { email: 'ada@example.com' } })
 */
export function triggerEvent<S extends Source>(
  source: S,
  request: Partial<TriggerRequest<S>> = {},
  envelope: Envelope = {},
): TriggerEvent<S> {
  return newEvent(source, request, envelope) as TriggerEvent<S>
}

function newEvent(source: Source, request: object, envelope: Envelope): unknown {
  const known = givenSource('triggerEvent()', source)
  refuseUnknownOptions(`The envelope of ${source}`, envelope, envelopeFields)
  refuseMisspeltFields(known, request)
  const fields = Object.entries({ ...sampleRequests[known.trigger], ...request }).filter(
    ([name]) => known.request[name] !== undefined || name in request,
  )
  return structuredClone({
    version: '1',
    triggerSource: source,
    region: 'eu-north-1',
    userPoolId: 'eu-north-1_example',
    userName: 'ada',
    callerContext: { cloudSdkVersion: 'sdk-js-3.0', clientId: 'web' },
    request: Object.fromEntries(fields),
    // Senders have nothing to fill, so their events have no response.
    ...(known.row.answer !== 'not read' && { response: {} }),
    ...envelope,
  })
}

const envelopeFields = [
  'version',
  'region',
  'userPoolId',
  'userName',
  'callerContext',
  'response',
] as const satisfies readonly (keyof Envelope)[]

// Tests may send other unknown fields, as platforms do.
function refuseMisspeltFields({ source, request: fields }: KnownSource, request: object): void {
  for (const name of Object.keys(request)) {
    const meant = fields[name] === undefined ? nearest(name, Object.keys(fields)) : undefined
    if (meant !== undefined)
      throw new InvalidOptionError(
        `The request of ${source} has no field ${JSON.stringify(name)}. Did you mean ${meant}?`,
      )
  }
}

type Builder<T extends Trigger> = (
  request?: Partial<TriggerRequest<Extract<Source, `${T}_${string}`>>>,
  envelope?: EnvelopeOf<T>,
) => TriggerEvent<Extract<Source, `${T}_${string}`>>

// The declarations below state the trigger in their types, because inferring it would need a larger union
// than the compiler allows.
function builder(trigger: Trigger): never {
  const own = sourcesOf(trigger)
  const build = (
    request: object = {},
    { triggerSource = own[0]!, ...envelope }: EnvelopeOf<Trigger> = {},
  ) => {
    if (!own.includes(triggerSource))
      throw new InvalidOptionError(
        `An event of ${trigger} has the source ${own.join(' or ')}, not ${JSON.stringify(triggerSource)}.`,
      )
    return newEvent(triggerSource, request, envelope)
  }
  return build as never
}

/**
 * Builds the event that is sent just before a new user is signed up. Default: `PreSignUp_SignUp`.
 * @example
 * ```ts
 * import { preSignUpEvent } from '@signalbox/user-pool/testing'
 *
 * const event = preSignUpEvent({ clientMetadata: { invitation: 'a1' } }, { triggerSource: 'PreSignUp_AdminCreateUser' })
 * event.triggerSource // 'PreSignUp_AdminCreateUser'
 * ```
 */
export const preSignUpEvent: Builder<'PreSignUp'> = builder('PreSignUp')
/**
 * Builds the event that is sent after a new user is confirmed.
 * @example
 * ```ts
 * import { postConfirmationEvent } from '@signalbox/user-pool/testing'
 *
 * const event = postConfirmationEvent({}, { triggerSource: 'PostConfirmation_ConfirmForgotPassword' })
 * event.triggerSource // 'PostConfirmation_ConfirmForgotPassword'
 * ```
 */
export const postConfirmationEvent: Builder<'PostConfirmation'> = builder('PostConfirmation')
/**
 * Builds the event that is sent when a user attempts to sign in.
 * @example
 * ```ts
 * import { preAuthenticationEvent } from '@signalbox/user-pool/testing'
 *
 * const event = preAuthenticationEvent({ validationData: { device: 'phone' } })
 * event.request.validationData // { device: 'phone' }
 * ```
 */
export const preAuthenticationEvent: Builder<'PreAuthentication'> = builder('PreAuthentication')
/**
 * Builds the event that is sent after a user has signed in.
 * @example
 * ```ts
 * import { postAuthenticationEvent } from '@signalbox/user-pool/testing'
 *
 * const event = postAuthenticationEvent({ newDeviceUsed: true }, { userName: 'ada' })
 * event.userName // 'ada'
 * ```
 */
export const postAuthenticationEvent: Builder<'PostAuthentication'> = builder('PostAuthentication')
/**
 * Builds an event that asks for the next step of a custom authentication flow.
 * @example
 * ```ts
 * import { defineAuthChallengeEvent } from '@signalbox/user-pool/testing'
 *
 * const event = defineAuthChallengeEvent({ session: [{ challengeName: 'SRP_A', challengeResult: true }] })
 * event.request.session.length // 1
 * ```
 */
export const defineAuthChallengeEvent: Builder<'DefineAuthChallenge'> = builder('DefineAuthChallenge')
/**
 * Builds an event that asks for a challenge of a custom authentication flow.
 * @example
 * ```ts
 * import { createAuthChallengeEvent } from '@signalbox/user-pool/testing'
 *
 * const event = createAuthChallengeEvent({ challengeName: 'CUSTOM_CHALLENGE' })
 * event.triggerSource // 'CreateAuthChallenge_Authentication'
 * ```
 */
export const createAuthChallengeEvent: Builder<'CreateAuthChallenge'> = builder('CreateAuthChallenge')
/**
 * Builds an event that asks whether an answer in a custom authentication flow is correct.
 * @example
 * ```ts
 * import { verifyAuthChallengeEvent } from '@signalbox/user-pool/testing'
 *
 * const event = verifyAuthChallengeEvent({
 *   privateChallengeParameters: { answer: '1234' },
 *   challengeAnswer: '1234',
 * })
 * event.request.challengeAnswer // '1234'
 * ```
 */
export const verifyAuthChallengeEvent: Builder<'VerifyAuthChallengeResponse'> = builder(
  'VerifyAuthChallengeResponse',
)
/**
 * Builds the event that is sent before tokens are generated. Default: `TokenGeneration_HostedAuth`.
 * @example
 * ```ts
 * import { tokenGenerationEvent } from '@signalbox/user-pool/testing'
 *
 * const event = tokenGenerationEvent({}, { triggerSource: 'TokenGeneration_Authentication' })
 * event.triggerSource // 'TokenGeneration_Authentication'
 * ```
 */
export const tokenGenerationEvent: Builder<'TokenGeneration'> = builder('TokenGeneration')
/**
 * Builds the event that is sent before a message is sent. Default: `CustomMessage_SignUp`.
 * @example
 * ```ts
 * import { customMessageEvent } from '@signalbox/user-pool/testing'
 *
 * const event = customMessageEvent({}, { triggerSource: 'CustomMessage_ForgotPassword' })
 * event.triggerSource // 'CustomMessage_ForgotPassword'
 * ```
 */
export const customMessageEvent: Builder<'CustomMessage'> = builder('CustomMessage')
/**
 * Builds the event that asks about a user who is not in the pool yet. Default: `UserMigration_Authentication`.
 * @example
 * ```ts
 * import { userMigrationEvent } from '@signalbox/user-pool/testing'
 *
 * const event = userMigrationEvent({}, { triggerSource: 'UserMigration_ForgotPassword', userName: 'ada' })
 * event.triggerSource // 'UserMigration_ForgotPassword'
 * ```
 */
export const userMigrationEvent: Builder<'UserMigration'> = builder('UserMigration')
/**
 * Builds the event that asks a custom sender to send an e-mail.
 * @example
 * ```ts
 * import { customEmailSenderEvent } from '@signalbox/user-pool/testing'
 *
 * const event = customEmailSenderEvent({ code: 'AYADeA==' }, { triggerSource: 'CustomEmailSender_ForgotPassword' })
 * event.triggerSource // 'CustomEmailSender_ForgotPassword'
 * ```
 */
export const customEmailSenderEvent: Builder<'CustomEmailSender'> = builder('CustomEmailSender')
/**
 * Builds the event that asks a custom sender to send an SMS.
 * @example
 * ```ts
 * import { customSmsSenderEvent } from '@signalbox/user-pool/testing'
 *
 * const event = customSmsSenderEvent({ code: 'AYADeA==' })
 * event.request.code // 'AYADeA=='
 * ```
 */
export const customSmsSenderEvent: Builder<'CustomSMSSender'> = builder('CustomSMSSender')
/**
 * Builds the event about a user whom an external provider has authenticated.
 * @example
 * ```ts
 * import { inboundFederationEvent } from '@signalbox/user-pool/testing'
 *
 * const event = inboundFederationEvent({ providerName: 'Example' }, { userName: 'ada' })
 * event.request.providerName // 'Example'
 * ```
 */
export const inboundFederationEvent: Builder<'InboundFederation'> = builder('InboundFederation')
