import {
  type AfterMiddleware,
  inDevelopment,
  named,
  type Request,
  refuseUnknownOptions,
} from '@signalbox/core'
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
 */
export function mailFlowSerializer(options: SerializerOptions = {}): AfterMiddleware<MailEvent> {
  refuseUnknownOptions('mailFlowSerializer()', options, ['mode', 'overflow', 'onNotes'])
  return {
    name: 'mail-flow-serializer',
    after: named('mail-flow-serializer', (request: Request<MailEvent>): void => {
      request.response =
        options.mode === 'async' ? undefined : finish(request.response, request.event, options)
    }),
  }
}

/** The response that leaves: checked, and with what is to be noted about it said. */
export function finish(
  decision: unknown,
  event: MailEvent,
  { overflow = 'refuse', onNotes }: SerializerOptions,
): MailResponse {
  const response = checkResponse(responseOf(decision), event, overflow)
  const tell = onNotes ?? (inDevelopment() ? warn : undefined)
  if (tell !== undefined) {
    const notes = notesOf(response, event)
    if (notes.length > 0) tell(notes, event)
  }
  return response
}

/** Says notes on the console. */
export function warn(notes: readonly Note[]): void {
  for (const { message } of notes) console.warn(`mail-flow: ${message}`)
}
