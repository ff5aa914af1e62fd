import { compile, formatProblems, type Problem, problems } from '@signalbox/codec'
import { readPayload } from '@signalbox/core/payload'
import { actionKey } from './action-key.ts'
import { addressKey } from './address.ts'
import type { MailEvent } from './event.ts'
import { responseSizeLimit, responseTimeLimit, uniqueActionsLimit } from './limits.ts'
import { type ActionName, type MailAction, MailResponse } from './response.ts'
import { responseProblems } from './response-problems.ts'

/** What happens to a mail for one of its recipients, and why. */
export interface RecipientVerdict {
  /** As the event spells it where it names the recipient first. */
  readonly address: string
  readonly outcome: 'deliver' | 'drop' | 'bounce' | 'fallback'
  /** The action that applies: the function's, or for the outcome `fallback` the configured one. */
  readonly action: MailAction
  readonly why: string
}

/** What the platform concludes from the payload of a mail-flow function. */
export type MailVerdict =
  | {
      readonly kind: 'decided'
      readonly recipients: readonly RecipientVerdict[]
      /** Addresses that the response names and the event does not. */
      readonly unlisted: readonly string[]
    }
  | {
      /** The invocation failed. It is tried again as `retrySchedule` says. */
      readonly kind: 'failed'
      readonly why: string
      readonly problems: readonly Problem[]
      /** What happens when no retry is left: the fallback for everyone. */
      readonly recipients: readonly RecipientVerdict[]
    }
  | {
      /** An asynchronous invocation: whatever it answers, everyone gets the mail. */
      readonly kind: 'ignored'
      readonly recipients: readonly RecipientVerdict[]
    }

/** The actions that can be configured as a fallback without further words. */
export type FallbackName = 'BOUNCE' | 'DROP' | 'DEFAULT'

export interface MailVerdictOptions {
  /** What applies where the function's answer does not. Default `DEFAULT`. */
  readonly fallback?: FallbackName | MailAction
  /** How the platform called the function. Default `sync`. */
  readonly mode?: 'sync' | 'async'
}

/**
 * What the platform concludes from a payload, recipient by recipient (contract C, Endpoints, Errors, Limits).
 * Where several actions name a recipient, the first in the response counts; `allRecipients` covers those that no
 * action names. Recipients of the eleventh unique action and later ones, and recipients that no action covers, get
 * the fallback. A payload that is not a valid response is a failed invocation. Never throws, whatever the payload.
 *
 * @param payload what the function returned, or undefined when nothing came within 15 seconds
 */
export function mailVerdict(
  payload: string | undefined,
  event: MailEvent,
  { fallback = 'DEFAULT', mode = 'sync' }: MailVerdictOptions = {},
): MailVerdict {
  const fallbackAction = typeof fallback === 'string' ? { type: fallback } : fallback
  const everyone = (outcome: RecipientVerdict['outcome'], action: MailAction, why: string) =>
    distinct(event).map(address => ({ address, outcome, action, why }))
  if (mode === 'async') {
    const why = 'an asynchronous invocation does not affect delivery'
    return { kind: 'ignored', recipients: everyone('deliver', { type: 'DEFAULT' }, why) }
  }
  const answer = read(payload, event)
  if ('why' in answer) {
    return {
      kind: 'failed',
      why: answer.why,
      problems: answer.problems ?? [],
      recipients: everyone('fallback', fallbackAction, 'the invocation failed'),
    }
  }
  return { kind: 'decided', ...decide(answer, event, fallbackAction) }
}

const isResponse = compile(MailResponse)

interface Failure {
  readonly why: string
  readonly problems?: readonly Problem[]
}

function read(payload: string | undefined, event: MailEvent): MailResponse | Failure {
  if (payload === undefined)
    return { why: `the function did not respond within ${responseTimeLimit / 1000} seconds` }
  const size = Buffer.byteLength(payload)
  if (size > responseSizeLimit)
    return { why: `the response has ${size} bytes, ${size - responseSizeLimit} more than it may` }
  const content = readPayload(payload)
  if (content.kind === 'error') return { why: `the function failed with error ${content.errorMessage}` }
  if (content.kind === 'malformed') return { why: content.why }
  if (!isResponse(content.value)) return broken(problems(MailResponse, content.value))
  const because = responseProblems(content.value, event)
  return because.length > 0 ? broken(because) : content.value
}

function broken(found: readonly Problem[]): Failure {
  return { why: `the response breaks the contract:\n${formatProblems(found)}`, problems: found }
}

function decide({ actions }: MailResponse, event: MailEvent, fallback: MailAction) {
  const unique = new Set<string>()
  const named = new Map<string, number>()
  const spelled = new Map<string, string>()
  const beyond: boolean[] = []
  let forAll: number | undefined
  for (const [position, { action, recipients, allRecipients }] of actions.entries()) {
    const key = actionKey(action)
    beyond.push(!unique.has(key) && unique.size >= uniqueActionsLimit)
    if (!beyond[position]) unique.add(key)
    for (const recipient of recipients ?? []) {
      const who = addressKey(recipient)
      if (named.has(who)) continue
      named.set(who, position)
      spelled.set(who, recipient)
    }
    if (allRecipients) forAll ??= position
  }
  const recipients = distinct(event).map((address): RecipientVerdict => {
    const who = addressKey(address)
    spelled.delete(who)
    const position = named.get(who) ?? forAll
    if (position === undefined)
      return { address, outcome: 'fallback', action: fallback, why: 'no action covers it' }
    const { action } = actions[position]!
    const how = `action ${position + 1} (${action.type}) is for ${named.has(who) ? 'it' : 'all recipients'}`
    return beyond[position]
      ? { address, outcome: 'fallback', action: fallback, why: `${how}, but past the ten unique ones` }
      : { address, outcome: outcomes[action.type], action, why: how }
  })
  return { recipients, unlisted: [...spelled.values()] }
}

const outcomes: Readonly<Record<ActionName, RecipientVerdict['outcome']>> = {
  BOUNCE: 'bounce',
  DROP: 'drop',
  DEFAULT: 'deliver',
  BYPASS_SPAM_CHECK: 'deliver',
  MOVE_TO_JUNK: 'deliver',
}

function distinct({ envelope }: MailEvent): string[] {
  const byKey = new Map<string, string>()
  for (const { address } of envelope.recipients) {
    const key = addressKey(address)
    if (!byKey.has(key)) byKey.set(key, address)
  }
  return [...byKey.values()]
}
