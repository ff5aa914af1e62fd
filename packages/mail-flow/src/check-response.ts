import { compile, problems } from '@signalbox/codec'
import { InvalidResponseError } from '@signalbox/core'
import type { Overflow } from './actions.ts'
import { isAsBuilt } from './built-response.ts'
import {
  actionKey,
  type MailAction,
  type MailEvent,
  MailResponse,
  responseProblems,
  uniqueActionsLimit,
} from './contract/index.ts'
import { misspeltFields } from './contract/misspelt-fields.ts'
import { TooManyActionsError } from './errors.ts'
import { refuseTooLarge } from './refuse-too-large.ts'

const isResponse = compile(MailResponse)

/**
 * Holds a response against the contract and the mail that it is about, whoever built it.
 * @throws InvalidResponseError for what the contract forbids, and for a recipient that outbound mail does not
 * have; TooManyActionsError and ResponseTooLargeError for what is above the limits
 */
export function checkResponse(
  response: unknown,
  event: MailEvent,
  overflow: Overflow = 'refuse',
): MailResponse {
  if (typeof response === 'object' && response !== null && isAsBuilt(response, event, overflow))
    return response as MailResponse
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
 * What JSON says of a response, which is all that the platform sees: nothing of a getter of a class, for one, and of an
 * object with `toJSON` what that says.
 */
function asSent(response: MailResponse): unknown {
  try {
    return JSON.parse(JSON.stringify(response))
  } catch (cause) {
    throw invalidAnswer('what JSON can carry', String(cause), { cause })
  }
}

/** What the errors call the function that decides. */
const route = 'the mail-flow function'

function brokenResponse(response: unknown): InvalidResponseError {
  return new InvalidResponseError(route, [...misspeltFields(response), ...problems(MailResponse, response)])
}

/** The error for an answer that is wrong as a whole. */
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
