import { kindOf, type Problem } from '@signalbox/codec'
import {
  type AfterMiddleware,
  type BaseHandler,
  InvalidResponseError,
  inDevelopment,
  namedMiddleware,
  type Request,
} from '@signalbox/core'
import { returnedProblems, type TriggerEvent } from '../contract/index.ts'
import { sourceOrNew } from '../contract/triggers/ready-source.ts'
import { changedIdentity } from '../contract/verdict/identity.ts'
import type { CheckedAnswer } from './checked-answer.ts'
import { fieldNames, lostInJson } from './unknown-fields.ts'
import { warnOfUsername } from './warn-of-username.ts'

/**
 * Returns the middleware that checks the response: the fields of the answer, and the rules that depend on the event,
 * such as the code that a message must contain.
 *
 * Its hook throws InvalidResponseError with the name of the trigger source, and the response is not sent. A response
 * that an `onError` hook of another middleware makes is checked, too. If it is invalid, the error stays.
 */
export function userPoolSerializer(): AfterMiddleware<TriggerEvent> {
  return serializer(serialize)
}

/** Returns the serializer of the plugin with this router. It checks no answer that the router has just checked. */
export function routedSerializer(router: BaseHandler, checked: CheckedAnswer): AfterMiddleware<TriggerEvent> {
  return serializer((request, returned) => {
    const { event } = checked
    checked.event = undefined
    if (returned !== router || event !== request.event) serialize(request)
    else if (checked.trigger === 'CustomMessage') warnOfAnswer(request)
  })
}

type Check = (request: Request, returned?: BaseHandler) => void

function serializer(check: Check): AfterMiddleware<TriggerEvent> {
  return namedMiddleware('user-pool-serializer', {
    after: check,
    onError: (request: Request): void => {
      const { event, response, error } = request
      if (response === undefined) return
      try {
        check(request)
      } catch {
        throw error
      }
      // Of senders, any value is valid, but an HTTP error page would hide that the message was not sent.
      if (changedIdentity(Object(response), event as TriggerEvent)) throw error
    },
  })
}

function serialize(request: Request): void {
  const event = request.event as { readonly triggerSource: string; readonly response?: unknown }
  const { triggerSource, response } = event
  const refuse = (problems: readonly Problem[]): never => {
    throw new InvalidResponseError(triggerSource, problems)
  }
  const wrong = returnedProblems(request.response, event)
  if (wrong.length > 0) refuse(wrong)
  const row = sourceOrNew(triggerSource)?.row
  // The platform ignores the contents of the response, but it must be an object. The events of senders may lack it.
  const isObject = typeof response === 'object' && response !== null && !Array.isArray(response)
  if (!isObject && !(response == null && row?.answer === 'not read'))
    refuse([{ pointer: '/response', expected: 'an object', actual: kindOf(response) }])
  if (row?.answer === 'read') {
    // The JSON of some answers lacks their contents, such as a promise without `await`, and `{}` is a valid answer.
    const lost = lostInJson((request.response as TriggerEvent).response, fieldNames(row.response))
    if (lost) refuse([lost])
  }
  warnOfAnswer(request)
}

function warnOfAnswer({ event, response }: Request): void {
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
