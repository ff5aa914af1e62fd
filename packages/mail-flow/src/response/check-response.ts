import { isObject, kindOf } from '@signalbox/codec'
import { refusalsOfReady } from '@signalbox/codec/ready'
import { InvalidResponseError } from '@signalbox/core'
import {
  actionKey,
  type MailAction,
  type MailEvent,
  type MailResponse,
  responseProblems,
  uniqueActionsLimit,
} from '../contract/index.ts'
import { misspeltFields } from '../contract/misspelt-fields.ts'
import { readyResponse } from '../contract/ready.ts'
import { TooManyActionsError } from '../errors.ts'
import type { Overflow } from './built-response.ts'
import { isAsBuilt } from './built-response.ts'
import { refuseTooLarge } from './refuse-too-large.ts'

const isResponse = readyResponse.is

/**
 * Checks a response against the contract and its event.
 * @throws InvalidResponseError for a response that breaks the contract, and TooManyActionsError or
 * ResponseTooLargeError for one that exceeds a limit
 */
export function checkResponse(
  response: unknown,
  event: MailEvent,
  overflow: Overflow = 'refuse',
): MailResponse {
  if (typeof response === 'object' && response !== null && isAsBuilt(response, event, overflow))
    return response as MailResponse
  if (!isObject(response))
    throw invalidAnswer('the builder, or a response such as { actions: […] }', kindOf(response))
  if (!isResponse(response)) throw brokenResponse(response)
  const sent = asSent(response)
  if (!isResponse(sent)) throw brokenResponse(sent)
  const found = responseProblems(sent, event)
  if (found.length > 0) throw new InvalidResponseError(route, found)
  if (overflow === 'refuse') refuseTooMany(sent)
  refuseTooLarge(sent)
  return response
}

/**
 * Returns the response as the platform gets it in JSON: without getters of classes, and with the results of `toJSON`.
 */
function asSent(response: MailResponse): unknown {
  try {
    return JSON.parse(JSON.stringify(response))
  } catch (cause) {
    throw invalidAnswer('data that JSON can represent', String(cause), { cause })
  }
}

/** The name of the function in errors. */
const route = 'the mail-flow function'

function brokenResponse(response: unknown): InvalidResponseError {
  return new InvalidResponseError(route, [
    ...misspeltFields(response),
    ...refusalsOfReady(readyResponse, response)!,
  ])
}

/** Returns the error for a value that cannot be a response. */
export function invalidAnswer(
  expected: string,
  actual: string,
  options?: ErrorOptions,
): InvalidResponseError {
  return new InvalidResponseError(route, [{ pointer: '', expected, actual }], options)
}

function refuseTooMany({ actions }: MailResponse): void {
  if (actions.length <= uniqueActionsLimit) return
  const unique = new Map<string, MailAction>()
  for (const { action } of actions) {
    const key = actionKey(action)
    if (unique.has(key)) continue
    if (unique.size === uniqueActionsLimit) throw new TooManyActionsError([...unique.values()], action)
    unique.set(key, action)
  }
}
