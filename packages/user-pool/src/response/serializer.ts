import { kindOf, type Problem } from '@signalbox/codec'
import {
  type AfterMiddleware,
  type HookRequest,
  InvalidResponseError,
  inDevelopment,
  namedMiddleware,
} from '@signalbox/core'
import { returnedProblems, type TriggerEvent } from '../contract/index.ts'
import { type ReadyRow, sourceOrNew } from '../contract/triggers/ready-source.ts'
import { changedIdentity } from '../contract/verdict/identity.ts'
import { fieldNames, lostInJson } from './unknown-fields.ts'
import { warnOfUsername } from './warn-of-username.ts'

/**
 * Returns the middleware that checks the response: the fields of the answer, and the rules that depend on the event,
 * such as the code that a message must contain.
 *
 * Its hook throws InvalidResponseError with the name of the trigger source, and the response is not sent. A response
 * that an `onError` hook of another middleware makes is checked, too. If it is invalid, the error stays.
 * @example
 * ```ts
 * import middy from '@middy/core'
 * import { triggerRouter, userPoolNormalizer, userPoolSerializer, userPoolValidator } from '@signalbox/user-pool'
 *
 * export const handler = middy()
 *   .use([userPoolNormalizer(), userPoolValidator(), userPoolSerializer()])
 *   .handler(triggerRouter({ PreSignUp: () => ({ autoConfirmUser: true }) }))
 * ```
 */
export function userPoolSerializer(): AfterMiddleware<TriggerEvent> {
  return namedMiddleware('user-pool-serializer', {
    after: serialize,
    onError: (request: HookRequest): void => {
      const { event, response, error } = request
      if (response === undefined) return
      try {
        serialize(request)
      } catch {
        throw error
      }
      // Of senders, any value is valid, but an HTTP error page would hide that the message was not sent.
      if (changedIdentity(Object(response), event as TriggerEvent)) throw error
    },
  })
}

function serialize(request: HookRequest): void {
  const event = request.event as { readonly triggerSource: string; readonly response?: unknown }
  const row = sourceOrNew(event.triggerSource)?.row
  const isExact = request.response === event && row?.isExact(event.response)
  const wrong = isExact
    ? row?.rule?.(event.response as never, event as never, true)
    : responseProblems(request.response, event, row)
  if (wrong?.length) throw new InvalidResponseError(event.triggerSource, wrong)
  warnOfAnswer(request)
}

/** Returns the problems with a response, including what its JSON lacks. */
function responseProblems(
  returned: unknown,
  event: { readonly response?: unknown },
  row: ReadyRow | undefined,
): readonly Problem[] {
  const wrong = returnedProblems(returned, event)
  if (wrong.length > 0) return wrong
  const { response } = event
  // The platform ignores the contents of the response, but it must be an object. The events of senders may lack it.
  const isObject = typeof response === 'object' && response !== null && !Array.isArray(response)
  if (!isObject && !(response == null && row?.answer === 'not read'))
    return [{ pointer: '/response', expected: 'an object', actual: kindOf(response) }]
  // The JSON of some answers lacks their contents, such as a promise without `await`, and `{}` is a valid answer.
  const lost =
    row?.answer === 'read' && lostInJson((returned as TriggerEvent).response, fieldNames(row.response))
  return lost ? [lost] : []
}

function warnOfAnswer({ event, response }: HookRequest): void {
  const { triggerSource } = event as TriggerEvent
  // The environment is read last, because reading it takes half as long as the whole trigger.
  if (
    triggerSource === 'CustomMessage_AdminCreateUser' &&
    process.env.NODE_ENV !== 'production' &&
    inDevelopment()
  ) {
    warnOfUsername(event as never, (response as { readonly response: object }).response)
  }
}
