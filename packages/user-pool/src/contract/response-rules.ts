import type { Problem } from '@signalbox/codec'
import { groupClaims, reservedClaims, takesScopes } from './claim.ts'
import { emailMessageLength, smsMessageLength } from './limits.ts'
import type { Trigger, TriggerEvent, TriggerResponse, WireEvent } from './trigger-event.ts'

/** A rule about an answer that no codec can hold, because it depends on the event. Adds what is wrong. */
export type ResponseRule = (response: never, event: never, wrong: Problem[]) => void

/** The rules of each trigger, beside its response codec. */
export const responseRules: { readonly [T in Trigger]?: readonly ResponseRule[] } = {
  CustomMessage: [messageHasPlaceholders, messageFits],
  TokenGeneration: [scopesAreTaken, claimsAreFree],
}

/** What an answer breaks beside its codec. Empty, and nothing allocated, for triggers without such rules. */
export function brokenRules(trigger: Trigger, response: unknown, event: unknown): readonly Problem[] {
  const rules = responseRules[trigger]
  if (rules === undefined) return none
  const wrong: Problem[] = []
  for (const rule of rules) rule(response as never, event as never, wrong)
  return wrong
}

const none: readonly Problem[] = []

// A verdict may be asked about an event that is broken itself.
const nobodysRequest: { readonly codeParameter?: unknown; readonly usernameParameter?: unknown } = {}

type MessageEvent = WireEvent<'CustomMessage_SignUp'>
type Message = TriggerResponse<'CustomMessage'>

/** "SMS and email messages must include the codeParameter value received in the request" (custom message). */
function messageHasPlaceholders(response: Message, event: MessageEvent, wrong: Problem[]): void {
  const { codeParameter, usernameParameter } = event.request ?? nobodysRequest
  const invites = (event.triggerSource as string) === 'CustomMessage_AdminCreateUser'
  for (const name of ['smsMessage', 'emailMessage'] as const) {
    const message = response[name]
    if (typeof message !== 'string') continue
    if (typeof codeParameter === 'string' && !message.includes(codeParameter)) {
      wrong.push({
        pointer: `/response/${name}`,
        expected: 'a text with the codeParameter',
        actual: 'a text without',
      })
    }
    if (invites && typeof usernameParameter === 'string' && !message.includes(usernameParameter)) {
      wrong.push({
        pointer: `/response/${name}`,
        expected: 'a text with the usernameParameter',
        actual: 'a text without',
      })
    }
  }
}

/** Extension: an e-mail has at most 20,000 characters, an SMS 140. */
function messageFits(response: Message, _event: MessageEvent, wrong: Problem[]): void {
  for (const [name, most] of lengths) {
    const message = response[name]
    if (typeof message !== 'string' || message.length <= most) continue
    wrong.push({
      pointer: `/response/${name}`,
      expected: `at most ${most} characters`,
      actual: `${message.length} characters`,
    })
  }
}

const lengths = [
  ['smsMessage', smsMessageLength],
  ['emailMessage', emailMessageLength],
] as const

type TokenEvent = TriggerEvent<'TokenGeneration_HostedAuth'>
type Claims = TriggerResponse<'TokenGeneration'>

/** Extension: only versions 2 and 3 of the event take `claimsAndScopeOverrideDetails`. */
function scopesAreTaken(response: Claims, event: TokenEvent, wrong: Problem[]): void {
  if (response.claimsAndScopeOverrideDetails == null || takesScopes(event)) return
  wrong.push({
    pointer: '/response/claimsAndScopeOverrideDetails',
    expected: 'nothing, for an event of this version',
    actual: 'an object',
  })
}

/** Extension: nobody may set or suppress a reserved claim, and group claims have a place of their own. */
function claimsAreFree(response: Claims, _event: TokenEvent, wrong: Problem[]): void {
  const { claimsOverrideDetails: one, claimsAndScopeOverrideDetails: both } = response
  if (one) checkClaims('/response/claimsOverrideDetails', one, wrong)
  const under = '/response/claimsAndScopeOverrideDetails'
  if (both?.idTokenGeneration) checkClaims(`${under}/idTokenGeneration`, both.idTokenGeneration, wrong)
  if (both?.accessTokenGeneration)
    checkClaims(`${under}/accessTokenGeneration`, both.accessTokenGeneration, wrong)
}

interface Overrides {
  readonly claimsToAddOrOverride?: object | null | undefined
  readonly claimsToSuppress?: readonly string[] | null | undefined
}

function checkClaims(under: string, overrides: Overrides, wrong: Problem[]): void {
  const { claimsToAddOrOverride: set, claimsToSuppress: suppress } = overrides
  for (const name of [...reservedClaims, ...groupClaims]) {
    const group = !(reservedClaims as readonly string[]).includes(name)
    const expected = group ? 'group claims in groupOverrideDetails only' : 'no reserved claim'
    if (set && Object.hasOwn(set, name)) {
      wrong.push({ pointer: `${under}/claimsToAddOrOverride/${name}`, expected, actual: 'a value' })
    }
    const place = suppress?.indexOf(name) ?? -1
    if (place >= 0 && !group) {
      wrong.push({ pointer: `${under}/claimsToSuppress/${place}`, expected, actual: JSON.stringify(name) })
    }
  }
}
