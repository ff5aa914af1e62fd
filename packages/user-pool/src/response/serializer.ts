import { kindOf } from '@signalbox/codec'
import {
  type AfterMiddleware,
  InvalidResponseError,
  inDevelopment,
  namedMiddleware,
  type Request,
} from '@signalbox/core'
import { returnedProblems, type TriggerEvent } from '../contract/index.ts'
import { warnOfUsername } from './warn-of-username.ts'

/**
 * Returns the middleware that checks the response: the fields of the answer, and the rules that depend on the event,
 * such as the code that a message must contain.
 *
 * Its hook throws InvalidResponseError with the name of the trigger source, and the response is not sent.
 */
export function userPoolSerializer(): AfterMiddleware<TriggerEvent> {
  return namedMiddleware('user-pool-serializer', { after: serialize })
}

function serialize(request: Request): void {
  const event = request.event as { readonly triggerSource: string; readonly response?: unknown }
  const wrong = returnedProblems(request.response, event)
  if (wrong.length > 0) throw new InvalidResponseError(event.triggerSource, wrong)
  // The platform ignores the contents of the response, but it must be an object.
  const { response } = event
  if (typeof response !== 'object' || response === null || Array.isArray(response)) {
    const problem = { pointer: '/response', expected: 'an object', actual: kindOf(response) }
    throw new InvalidResponseError(event.triggerSource, [problem])
  }
  // The environment is read last, because reading it takes half as long as the whole trigger.
  if (event.triggerSource === 'CustomMessage_AdminCreateUser' && inDevelopment()) {
    warnOfUsername(event as never, (request.response as { readonly response: object }).response)
  }
}
