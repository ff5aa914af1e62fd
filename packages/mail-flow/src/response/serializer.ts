import { type AfterMiddleware, inDevelopment, namedMiddleware, type Request } from '@signalbox/core'
import type { MailEvent, MailResponse } from '../contract/index.ts'
import { checkOptions } from './check-options.ts'
import { checkResponse, invalidAnswer } from './check-response.ts'
import type { MailFlowOptions, Mode } from './options.ts'
import { responseOf } from './response-of.ts'
import { type ResponseWarning, warningsOf } from './warnings.ts'

/** The options of `mailFlowSerializer`. */
export type SerializerOptions = Pick<MailFlowOptions<Mode>, 'mode' | 'overflow' | 'onWarnings'>

/**
 * Returns the middleware that turns the result of the handler (a builder, plain data, or nothing) into a response
 * that follows the contract. In asynchronous mode it removes the response.
 *
 * Its hook throws InvalidResponseError, TooManyActionsError and ResponseTooLargeError. A response that an `onError` hook
 * of another middleware makes is checked, too. If it is invalid, the error stays.
 *
 * @throws InvalidOptionError for invalid options
 * @example
 * ```ts
 * import middy from '@middy/core'
 * import { decideMail, mailFlowNormalizer, mailFlowSerializer, mailFlowValidator } from '@signalbox/mail-flow'
 *
 * export const handler = middy()
 *   .use([mailFlowNormalizer(), mailFlowValidator(), mailFlowSerializer()])
 *   .handler(decideMail((mail, actions) => (mail.inbound ? actions.default() : actions.drop())))
 * ```
 */
export function mailFlowSerializer(options: SerializerOptions = {}): AfterMiddleware<MailEvent> {
  checkOptions('mailFlowSerializer()', options, ['mode', 'overflow', 'onWarnings'])
  return serializer(options)
}

/**
 * Returns the serializer. The caller must have checked the options.
 * @param isDecided whether the handler always returns a response, so that only another middleware can have removed it
 */
export function serializer(options: SerializerOptions, isDecided = false): AfterMiddleware<MailEvent> {
  const after = (request: Request<MailEvent>): void => {
    const { event } = request
    if (options.mode === 'async') request.response = undefined
    // From an error handler, null must not mean that the mail is delivered.
    else if (request.response === null && request.error !== undefined) throw request.error
    else if (isDecided && (request.response === undefined || request.response === null))
      throw invalidAnswer('the response, which a middleware has removed', 'nothing')
    else {
      const response = checkResponse(responseOf(request.response), event, options.overflow)
      if (finished.get(event) === response) finished.delete(event)
      else reportNotes(response, event, options)
      request.response = response
    }
  }
  return namedMiddleware('mail-flow-serializer', {
    after,
    onError: (request: Request<MailEvent>): void => {
      if (request.response === undefined || options.mode === 'async') return
      try {
        after(request)
      } catch {
        throw request.error
      }
    },
  })
}

/**
 * Turns a decision into the result of `decideMail`: checks the response, and reports the warnings about it.
 */
export function finish(decision: unknown, event: MailEvent, options: SerializerOptions): MailResponse {
  const response = checkResponse(responseOf(decision), event, options.overflow)
  reportNotes(response, event, options)
  finished.set(event, response)
  return response
}

// The serializer checks a response of `decideMail` again, because middlewares may have changed it. But the
// serializer does not report the warnings again. The event is the key, because several events may have the same response.
const finished = new WeakMap<MailEvent, MailResponse>()

function reportNotes(response: MailResponse, event: MailEvent, options: SerializerOptions): void {
  const report = options.onWarnings ?? (inDevelopment() ? warn : undefined)
  if (report === undefined) return
  const warnings = warningsOf(response, event)
  if (warnings.length > 0) report(warnings, event)
}

/** Prints warnings on the console. */
export function warn(warnings: readonly ResponseWarning[]): void {
  for (const { message } of warnings) console.warn(`mail-flow: ${message}`)
}
