import { type AfterMiddleware, inDevelopment, named, notAnAnswer, type Request } from '@signalbox/core'
import { checkOptions } from './check-options.ts'
import { checkResponse } from './check-response.ts'
import type { MailEvent, MailResponse } from './contract/index.ts'
import { type Note, notesOf } from './notes.ts'
import type { MailFlowOptions, Mode } from './options.ts'
import { responseOf } from './response-of.ts'

/** What `mailFlowSerializer` needs to know. */
export type SerializerOptions = Pick<MailFlowOptions<Mode>, 'mode' | 'overflow' | 'onNotes'>

/**
 * The middleware that turns what the handler answered (a builder, plain data, or nothing) into a response that
 * keeps the contract. In asynchronous mode nothing is sent back.
 *
 * Its hook throws InvalidResponseError, TooManyActionsError and ResponseTooLargeError.
 *
 * @throws InvalidOptionError for options that cannot be meant
 */
export function mailFlowSerializer(options: SerializerOptions = {}): AfterMiddleware<MailEvent> {
  checkOptions('mailFlowSerializer()', options, ['mode', 'overflow', 'onNotes'])
  return serializer(options)
}

/** The same, for those who checked the options. */
export function serializer(options: SerializerOptions): AfterMiddleware<MailEvent> {
  const name = 'mail-flow-serializer'
  return notAnAnswer('a middleware', {
    name,
    after: named(name, (request: Request<MailEvent>): void => {
      const { event } = request
      if (options.mode === 'async') request.response = undefined
      else {
        const response = checkResponse(responseOf(request.response), event, options.overflow)
        if (!finished.delete(response)) tellNotes(response, event, options)
        request.response = response
      }
    }),
  })
}

/** What leaves `decideMail`: a response that keeps the contract, and of which nothing more is to be said. */
export function finish(decision: unknown, event: MailEvent, options: SerializerOptions): MailResponse {
  const response = checkResponse(responseOf(decision), event, options.overflow)
  tellNotes(response, event, options)
  finished.add(response)
  return response
}

// A serializer behind `decideMail` checks again, since there may be middlewares in between, but says nothing twice.
const finished = new WeakSet<object>()

function tellNotes(response: MailResponse, event: MailEvent, options: SerializerOptions): void {
  const tell = options.onNotes ?? (inDevelopment() ? warn : undefined)
  if (tell === undefined) return
  const notes = notesOf(response, event)
  if (notes.length > 0) tell(notes, event)
}

/** Says notes on the console. */
export function warn(notes: readonly Note[]): void {
  for (const { message } of notes) console.warn(`mail-flow: ${message}`)
}
