import { kindOf } from '@signalbox/codec'
import {
  type AfterMiddleware,
  InvalidResponseError,
  inDevelopment,
  namedMiddleware,
  type Request,
} from '@signalbox/core'
import { returnedProblems, type TriggerEvent } from '../contract/index.ts'
import { readySource } from '../contract/triggers/ready-source.ts'
import { changedIdentity } from '../contract/verdict/identity.ts'
import { type FieldNames, fieldNames, lostInJson } from './unknown-fields.ts'
import { warnOfUsername } from './warn-of-username.ts'

/**
 * Returns the middleware that checks the response: the fields of the answer, and the rules that depend on the event,
 * such as the code that a message must contain.
 *
 * Its hook throws InvalidResponseError with the name of the trigger source, and the response is not sent. A response
 * that an `onError` hook of another middleware makes is checked, too. If it is invalid, the error stays.
 */
export function userPoolSerializer(): AfterMiddleware<TriggerEvent> {
  return serializer(request => {
    serialize(request)
    refuseLostAnswer(request)
  })
}

/** Returns the serializer of the plugin, whose router has already refused answers that JSON would lose. */
export function routedSerializer(): AfterMiddleware<TriggerEvent> {
  return serializer(serialize)
}

function serializer(check: (request: Request) => void): AfterMiddleware<TriggerEvent> {
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

const fieldsOfAnswers = new Map<string, FieldNames>()

/** Refuses an answer that becomes `{}` in JSON, such as a promise without `await`, because `{}` is a valid answer. */
function refuseLostAnswer({ event, response }: Request): void {
  const { triggerSource } = event as TriggerEvent
  const known = readySource(triggerSource)
  if (known?.row.answer !== 'read') return
  let fields = fieldsOfAnswers.get(known.row.trigger)
  if (fields === undefined) {
    fields = fieldNames(known.row.response)
    fieldsOfAnswers.set(known.row.trigger, fields)
  }
  const lost = lostInJson((response as TriggerEvent).response, fields)
  if (lost !== undefined) throw new InvalidResponseError(triggerSource, [lost])
}

function isOfSender(triggerSource: string): boolean {
  return readySource(triggerSource)?.row.answer === 'not read'
}

function serialize(request: Request): void {
  const event = request.event as { readonly triggerSource: string; readonly response?: unknown }
  const wrong = returnedProblems(request.response, event)
  if (wrong.length > 0) throw new InvalidResponseError(event.triggerSource, wrong)
  // The platform ignores the contents of the response, but it must be an object. The events of senders may lack it.
  const { response } = event
  const isObject = typeof response === 'object' && response !== null && !Array.isArray(response)
  if (!isObject && !(response == null && isOfSender(event.triggerSource))) {
    const problem = { pointer: '/response', expected: 'an object', actual: kindOf(response) }
    throw new InvalidResponseError(event.triggerSource, [problem])
  }
  // The environment is read last, because reading it takes half as long as the whole trigger.
  if (event.triggerSource === 'CustomMessage_AdminCreateUser' && inDevelopment()) {
    warnOfUsername(event as never, (request.response as { readonly response: object }).response)
  }
}
