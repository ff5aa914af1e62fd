import type { Problem } from '@signalbox/codec'
import { expectedInsteadOfClaim, takesScopes } from '../fields/claim.ts'
import { emailMessageLength, smsMessageLength } from '../limits.ts'
import type { Trigger, TriggerEvent, TriggerResponse, WireEvent } from '../trigger-event.ts'

/**
 * Returns the problems with an answer that the codec of the answer cannot find, or undefined when there are none.
 * @param isExact whether the exact guard of the trigger, which looks at the names of claims, has accepted the answer
 */
export type ResponseRule = (response: never, event: never, isExact?: boolean) => Problems

// Each rule below adds its problems to this list, which is undefined until the first problem is found.
type Problems = Problem[] | undefined

/** The rules for the answers to each trigger, in addition to the codec of the answer. */
export const responseRules: { readonly [T in Trigger]?: ResponseRule } = {
  CustomMessage: (response: Message, event: MessageEvent) =>
    messageFits(response, messageHasCode(response, event)),
  DefineAuthChallenge: decidesOnce,
  TokenGeneration: (response: Claims, event: TokenEvent, isExact?: boolean) => {
    const wrong = scopesAreTaken(response, event)
    return isExact ? wrong : claimsAreFree(response, wrong)
  },
  UserMigration: subIsNotSet,
}

function add(wrong: Problems, pointer: string, expected: string, actual: string): Problem[] {
  const problems = wrong ?? []
  problems.push({ pointer, expected, actual })
  return problems
}

// Stands in for a missing request, because the event may be invalid.
const emptyRequest: { readonly codeParameter?: unknown } = {}

type MessageEvent = WireEvent<'CustomMessage_SignUp'>
type Message = TriggerResponse<'CustomMessage'>

/** "SMS and email messages must include the codeParameter value received in the request" (custom message). */
function messageHasCode(response: Message, event: MessageEvent): Problems {
  const { codeParameter } = event.request ?? emptyRequest
  let problems: Problems
  for (const name of messages) {
    const message = response[name]
    if (typeof message !== 'string') continue
    if (typeof codeParameter === 'string' && !message.includes(codeParameter)) {
      problems = add(problems, `/response/${name}`, 'a text with the codeParameter', 'a text without')
    }
  }
  return problems
}

const messages = ['smsMessage', 'emailMessage'] as const

/**
 * An e-mail has at most 20,000 characters, and an SMS has at most 140. A character is a Unicode code point. The
 * contract does not state these limits.
 */
function messageFits(response: Message, wrong: Problems): Problems {
  let problems = wrong
  for (const name of messages) {
    const message = response[name]
    const most = name === 'smsMessage' ? smsMessageLength : emailMessageLength
    if (typeof message !== 'string') continue
    const count = codePoints(message)
    if (count > most)
      problems = add(problems, `/response/${name}`, `at most ${most} characters`, `${count} characters`)
  }
  return problems
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/**
 * An answer may issue tokens, fail the sign-in, or name a challenge, but it may do only one of these. An answer that
 * does none of these is valid, and the sign-in fails. The contract does not say this.
 */
function decidesOnce(response: TriggerResponse<'DefineAuthChallenge'>): Problems {
  const { issueTokens, failAuthentication, challengeName } = response
  if (Number(issueTokens) + Number(failAuthentication) + Number(Boolean(challengeName)) <= 1) return undefined
  const made = [
    issueTokens && 'issueTokens',
    failAuthentication && 'failAuthentication',
    challengeName && 'challengeName',
  ].filter(Boolean)
  return add(
    undefined,
    '/response',
    'one of issueTokens, failAuthentication and challengeName',
    made.join(' and '),
  )
}

/** The user pool makes the `sub` of a migrated user. The contract does not say this. */
function subIsNotSet({ userAttributes }: TriggerResponse<'UserMigration'>): Problems {
  if (userAttributes?.sub == null) return undefined
  return add(undefined, '/response/userAttributes/sub', 'no sub, which the user pool makes', 'a value')
}

type TokenEvent = TriggerEvent<'TokenGeneration_HostedAuth'>
type Claims = TriggerResponse<'TokenGeneration'>

/** Only versions 2 and 3 of the event allow `claimsAndScopeOverrideDetails`. The contract does not say this. */
function scopesAreTaken(response: Claims, event: TokenEvent): Problems {
  if (response.claimsAndScopeOverrideDetails == null || takesScopes(event)) return undefined
  const pointer = '/response/claimsAndScopeOverrideDetails'
  return add(undefined, pointer, 'nothing, for an event of this version', 'an object')
}

/**
 * Reserved claims may not be set or suppressed, and only groupOverrideDetails may set group claims. The contract does
 * not say this.
 */
function claimsAreFree(response: Claims, wrong: Problems): Problems {
  const { claimsOverrideDetails: one, claimsAndScopeOverrideDetails: both } = response
  let problems = wrong
  if (one) problems = checkClaims('/response/claimsOverrideDetails', one, problems)
  if (!both) return problems
  const under = '/response/claimsAndScopeOverrideDetails'
  const { idTokenGeneration: id, accessTokenGeneration: access } = both
  if (id) problems = checkClaims(`${under}/idTokenGeneration`, id, problems)
  return access ? checkClaims(`${under}/accessTokenGeneration`, access, problems) : problems
}

interface Overrides {
  readonly claimsToAddOrOverride?: object | null | undefined
  readonly claimsToSuppress?: readonly string[] | null | undefined
}

function checkClaims(under: string, overrides: Overrides, wrong: Problems): Problems {
  const { claimsToAddOrOverride: set, claimsToSuppress: suppress } = overrides
  let problems = wrong
  for (const name in set) {
    const expected = expectedInsteadOfClaim(name, 'set')
    if (expected === undefined) continue
    problems = add(problems, `${under}/claimsToAddOrOverride/${name}`, expected, 'a value')
  }
  for (let i = 0; i < (suppress?.length ?? 0); i++) {
    const name = suppress![i]!
    const expected = expectedInsteadOfClaim(name, 'suppress')
    if (expected === undefined) continue
    problems = add(problems, `${under}/claimsToSuppress/${i}`, expected, JSON.stringify(name))
  }
  return problems
}
