import { errorPayload } from '@signalbox/core/payload'
import { answerLimit } from './invoker.ts'

/** What goes back when a function is through: the text, and the message of its failure if it failed. */
export interface Answer {
  readonly payload: string
  readonly threw?: string
}

/** What a function returned, as text. What cannot be written as JSON, or is too long, is a failure. */
export function answerOf(result: unknown): Answer {
  let payload: string
  try {
    payload = JSON.stringify(result) ?? ''
  } catch (error) {
    return thrown(new TypeError(`What the function returned cannot be written as JSON: ${messageOf(error)}`))
  }
  return payload.length > answerLimit
    ? thrown(new RangeError(`What the function returned is longer than ${answerLimit} bytes`))
    : { payload }
}

/** The answer for whatever was thrown. Never throws, whatever that is. */
export function thrown(error: unknown): Answer {
  const message = messageOf(error)
  let payload: string
  try {
    payload = errorPayload(error)
  } catch {
    payload = errorPayload(message)
  }
  return { payload: payload.length > answerLimit ? errorPayload(message) : payload, threw: message }
}

function messageOf(error: unknown): string {
  let message: string
  try {
    message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  } catch {
    message = 'something that cannot be described'
  }
  return message.length > 10_000 ? `${message.slice(0, 10_000)}…` : message
}
