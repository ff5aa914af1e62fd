import type { Problem } from '@signalbox/codec'
import { groupClaims, reservedClaims, takesScopes } from './claim.ts'
import { emailMessageLength, smsMessageLength } from './limits.ts'
import type { Trigger, TriggerEvent, TriggerResponse, WireEvent } from './trigger-event.ts'

/**
 * A rule about an answer that no codec can hold, because it depends on the event. Adds to the problems found so
 * far, of which there is no list until there is one.
 */
export type ResponseRule = (response: never, event: never, wrong: Problems) => Problems

type Problems = Problem[] | undefined

/** The rules of each trigger, beside its response codec. */
export const responseRules: { readonly [T in Trigger]?: readonly ResponseRule[] } = {
  CustomMessage: [messageHasCode, messageFits],
  DefineAuthChallenge: [decidesOnce],
  TokenGeneration: [scopesAreTaken, claimsAreFree],
}

function add(wrong: Problems, pointer: string, expected: string, actual: string): Problem[] {
  const found = wrong ?? []
  found.push({ pointer, expected, actual })
  return found
}

// A verdict may be asked about an event that is broken itself.
const nobodysRequest: { readonly codeParameter?: unknown } = {}

type MessageEvent = WireEvent<'CustomMessage_SignUp'>
type Message = TriggerResponse<'CustomMessage'>

/** "SMS and email messages must include the codeParameter value received in the request" (custom message). */
function messageHasCode(response: Message, event: MessageEvent, wrong: Problems): Problems {
  const { codeParameter } = event.request ?? nobodysRequest
  let found = wrong
  for (const name of messages) {
    const message = response[name]
    if (typeof message !== 'string') continue
    if (typeof codeParameter === 'string' && !message.includes(codeParameter)) {
      found = add(found, `/response/${name}`, 'a text with the codeParameter', 'a text without')
    }
  }
  return found
}

const messages = ['smsMessage', 'emailMessage'] as const

/** Extension: an e-mail has at most 20,000 characters, an SMS 140. Characters are code points of Unicode. */
function messageFits(response: Message, _event: MessageEvent, wrong: Problems): Problems {
  let found = wrong
  for (const name of messages) {
    const message = response[name]
    const most = name === 'smsMessage' ? smsMessageLength : emailMessageLength
    if (typeof message !== 'string') continue
    const count = codePoints(message)
    if (count > most)
      found = add(found, `/response/${name}`, `at most ${most} characters`, `${count} characters`)
  }
  return found
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Extension: tokens, failure and a challenge exclude each other. None of them is valid, and fails the sign-in. */
function decidesOnce(
  response: TriggerResponse<'DefineAuthChallenge'>,
  _event: unknown,
  wrong: Problems,
): Problems {
  const { issueTokens, failAuthentication, challengeName } = response
  if (Number(issueTokens) + Number(failAuthentication) + Number(Boolean(challengeName)) <= 1) return wrong
  const made = [
    issueTokens && 'issueTokens',
    failAuthentication && 'failAuthentication',
    challengeName && 'challengeName',
  ].filter(Boolean)
  return add(
    wrong,
    '/response',
    'one of issueTokens, failAuthentication and challengeName',
    made.join(' and '),
  )
}

type TokenEvent = TriggerEvent<'TokenGeneration_HostedAuth'>
type Claims = TriggerResponse<'TokenGeneration'>

/** Extension: only versions 2 and 3 of the event take `claimsAndScopeOverrideDetails`. */
function scopesAreTaken(response: Claims, event: TokenEvent, wrong: Problems): Problems {
  if (response.claimsAndScopeOverrideDetails == null || takesScopes(event)) return wrong
  const pointer = '/response/claimsAndScopeOverrideDetails'
  return add(wrong, pointer, 'nothing, for an event of this version', 'an object')
}

/** Extension: nobody may set or suppress a reserved claim, and group claims have a place of their own. */
function claimsAreFree(response: Claims, _event: TokenEvent, wrong: Problems): Problems {
  const { claimsOverrideDetails: one, claimsAndScopeOverrideDetails: both } = response
  let found = wrong
  if (one) found = checkClaims('/response/claimsOverrideDetails', one, found)
  if (!both) return found
  const under = '/response/claimsAndScopeOverrideDetails'
  const { idTokenGeneration: id, accessTokenGeneration: access } = both
  if (id) found = checkClaims(`${under}/idTokenGeneration`, id, found)
  return access ? checkClaims(`${under}/accessTokenGeneration`, access, found) : found
}

interface Overrides {
  readonly claimsToAddOrOverride?: object | null | undefined
  readonly claimsToSuppress?: readonly string[] | null | undefined
}

const noReserved = 'no reserved claim'
const spokenFor: ReadonlyMap<string, string> = new Map([
  ...reservedClaims.map(name => [name, noReserved] as const),
  ...groupClaims.map(name => [name, 'group claims in groupOverrideDetails only'] as const),
])

function checkClaims(under: string, overrides: Overrides, wrong: Problems): Problems {
  const { claimsToAddOrOverride: set, claimsToSuppress: suppress } = overrides
  let found = wrong
  for (const name in set) {
    const expected = spokenFor.get(name)
    if (expected === undefined) continue
    found = add(found, `${under}/claimsToAddOrOverride/${name}`, expected, 'a value')
  }
  for (let i = 0; i < (suppress?.length ?? 0); i++) {
    const name = suppress![i]!
    if (spokenFor.get(name) !== noReserved) continue
    found = add(found, `${under}/claimsToSuppress/${i}`, noReserved, JSON.stringify(name))
  }
  return found
}
