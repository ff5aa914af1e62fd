import { type AfterMiddleware, inDevelopment, named, notAnAnswer, type Request } from '@signalbox/core'
import type { MailEvent, MailResponse } from '../contract/index.ts'
import { checkOptions } from '../decision/check-options.ts'
import type { MailFlowOptions, Mode } from '../decision/options.ts'
import { checkResponse } from './check-response.ts'
import { type Note, notesOf } from './notes.ts'
import { responseOf } from './response-of.ts'

/** The options of `mailFlowSerializer`. */
export type SerializerOptions = Pick<MailFlowOptions<Mode>, 'mode' | 'overflow' | 'onNotes'>

/**
 * The middleware that turns the result of the handler (a builder, plain data, or nothing) into a response that keeps the
 * contract. In asynchronous mode it removes the response.
 *
 * Its hook throws InvalidResponseError, TooManyActionsError and ResponseTooLargeError.
 *
 * @throws InvalidOptionError for invalid options
 */
export function mailFlowSerializer(options: SerializerOptions = {}): AfterMiddleware<MailEvent> {
  checkOptions('mailFlowSerializer()', options, ['mode', 'overflow', 'onNotes'])
  return serializer(options)
}

/** The same, for options that were checked before. */
export function serializer(options: SerializerOptions): AfterMiddleware<MailEvent> {
  const name = 'mail-flow-serializer'
  return notAnAnswer('a middleware', {
    name,
    after: named(name, (request: Request<MailEvent>): void => {
      const { event } = request
      if (options.mode === 'async') request.response = undefined
      else {
        const response = checkResponse(responseOf(request.response), event, options.overflow)
        if (!finished.delete(response)) reportNotes(response, event, options)
        request.response = response
      }
    }),
  })
}

/** The result of `decideMail`: a response that keeps the contract, and whose notes were reported. */
export function finish(decision: unknown, event: MailEvent, options: SerializerOptions): MailResponse {
  const response = checkResponse(responseOf(decision), event, options.overflow)
  reportNotes(response, event, options)
  finished.add(response)
  return response
}

// The serializer checks a response of `decideMail` again, since middlewares may have changed it. It does not repeat the
// notes.
const finished = new WeakSet<object>()

function reportNotes(response: MailResponse, event: MailEvent, options: SerializerOptions): void {
  const report = options.onNotes ?? (inDevelopment() ? warn : undefined)
  if (report === undefined) return
  const notes = notesOf(response, event)
  if (notes.length > 0) report(notes, event)
}

/** Prints notes on the console. */
export function warn(notes: readonly Note[]): void {
  for (const { message } of notes) console.warn(`mail-flow: ${message}`)
}
