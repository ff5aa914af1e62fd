import { formatProblems, type Problem } from '@signalbox/codec'
import { refusalsOfReady } from '@signalbox/codec/ready'
import { readPayload } from '@signalbox/core/payload'
import type { MailEvent } from './event.ts'
import { responseSizeLimit, responseTimeLimit } from './limits.ts'
import { misspeltFields } from './misspelt-fields.ts'
import { readyResponse } from './ready.ts'
import {
  distinctRecipients,
  type RecipientVerdict,
  type RecipientVerdicts,
  recipientVerdicts,
} from './recipient-verdicts.ts'
import type { ActionName, MailAction, MailResponse } from './response.ts'
import { responseProblems } from './response-problems.ts'

/** The platform's verdict on the payload of a mail-flow function. */
export type MailVerdict =
  | ({ readonly kind: 'decided' } & RecipientVerdicts)
  | {
      /** The invocation failed. The platform retries it at the times of `retrySchedule`. */
      readonly kind: 'failed'
      readonly why: string
      readonly problems: readonly Problem[]
      /** The verdict after the last retry: the fallback for all recipients. */
      readonly recipients: readonly RecipientVerdict[]
    }
  | {
      /** An asynchronous invocation: all recipients get the mail, and the payload has no effect. */
      readonly kind: 'ignored'
      readonly recipients: readonly RecipientVerdict[]
    }

/** The action types that the option `fallback` accepts by name. Some are only for inbound mail. */
export type FallbackName = ActionName

/** Options of `mailVerdict`. */
export interface MailVerdictOptions {
  /** The fallback action, by its name or as an object. Default: `DEFAULT`. */
  readonly fallback?: FallbackName | MailAction
  /** How the platform called the function. Default: `sync`. */
  readonly mode?: 'sync' | 'async'
}

/**
 * Returns the platform's verdict on a payload: docs/contract/mail-flow.md#verdict. A payload that is missing or not a
 * valid response is a failed invocation. Never throws for a valid event.
 *
 * @param payload the payload of the function, or undefined when it did not respond within 15 seconds
 * @example
 * mailVerdict('{"actions":[{"action":{"type":"DROP"},"allRecipients":true}]}', event).kind // 'decided'
 */
export function mailVerdict(
  payload: string | undefined,
  event: MailEvent,
  { fallback = 'DEFAULT', mode = 'sync' }: MailVerdictOptions = {},
): MailVerdict {
  const action = typeof fallback === 'string' ? { type: fallback } : fallback
  const everyone = (verdict: Omit<RecipientVerdict, 'address'>) =>
    Array.from(distinctRecipients(event).values(), address => ({ address, ...verdict }))
  if (mode === 'async') {
    const why = 'an asynchronous invocation does not affect delivery'
    const recipients = everyone({
      disposition: 'deliver',
      action: { type: 'DEFAULT' },
      reason: 'asynchronous',
      why,
    })
    return { kind: 'ignored', recipients }
  }
  const answer = read(payload, event)
  if ('actions' in answer) return { kind: 'decided', ...recipientVerdicts(answer, event, action) }
  const recipients = everyone({
    disposition: 'fallback',
    action,
    reason: 'failed',
    why: 'the invocation failed',
  })
  return { kind: 'failed', ...answer, recipients }
}

const isResponse = readyResponse.is

interface Failure {
  readonly why: string
  readonly problems: readonly Problem[]
}

function read(payload: string | undefined, event: MailEvent): MailResponse | Failure {
  if (payload === undefined)
    return failure(`the function did not respond within ${responseTimeLimit / 1000} seconds`)
  const size = Buffer.byteLength(payload)
  if (size > responseSizeLimit)
    return failure(
      `the response has ${size} bytes, ${size - responseSizeLimit} above the ${responseSizeLimit} allowed`,
    )
  const content = readPayload(payload)
  if (content.kind === 'malformed') return failure(content.why)
  if (content.kind === 'error') return failure(`the function failed with error ${content.errorMessage}`)
  if (!isResponse(content.value))
    return broken([...misspeltFields(content.value), ...refusalsOfReady(readyResponse, content.value)!])
  const because = responseProblems(content.value, event)
  return because.length > 0 ? broken(because) : content.value
}

function failure(why: string, found: readonly Problem[] = []): Failure {
  return { why, problems: found }
}

function broken(found: readonly Problem[]): Failure {
  return failure(`the response breaks the contract:\n${formatProblems(found)}`, found)
}
