import { errorPayload, thrownText } from '@signalbox/core/payload'
import { payloadLimit } from '../invoker.ts'

/** The result of a function: its payload, and the message of its failure if it failed. */
export interface SerializedResult {
  readonly payload: string
  readonly threw?: string
}

// Keeps the original `stringify`, because a function may replace it in its process.
const { stringify } = JSON

/** Returns the result of a function as text. A value that is too long, or that JSON cannot represent, is a failure. */
export function serializeResult(result: unknown): SerializedResult {
  if (result === undefined) return { payload: '' }
  let payload: string | undefined
  try {
    if (isStream(result)) return unwritable('it is a stream; return its content instead')
    payload = stringify(result)
  } catch (error) {
    return unwritable(messageOf(error))
  }
  if (payload === undefined)
    return unwritable(typeof result === 'object' ? 'its toJSON returns nothing' : `it is a ${typeof result}`)
  return isTooLong(payload) ? serializeError(resultTooLong()) : { payload }
}

function unwritable(why: string): SerializedResult {
  return serializeError(new TypeError(`What the function returned cannot be written as JSON: ${why}`))
}

/** Returns whether a result is a stream, such as the body of a response. */
function isStream(result: unknown): boolean {
  if (typeof result !== 'object' || result === null) return false
  return (
    result instanceof ReadableStream || typeof (result as { readonly pipe?: unknown }).pipe === 'function'
  )
}

function isTooLong(payload: string): boolean {
  return payload.length * 3 > payloadLimit && Buffer.byteLength(payload) > payloadLimit
}

/** The name of the error for a result that is too long. */
export const tooLongName = 'ResultTooLongError'

/** Returns the error for a result that is too long. */
export function resultTooLong(): Error {
  const error = new RangeError(`What the function returned is longer than ${payloadLimit} bytes`)
  return Object.assign(error, { name: tooLongName })
}

/**
 * Returns the result for any thrown value. Never throws.
 * @param stack the stack of the error, if the payload contains it
 */
export function serializeError(error: unknown, stack?: string): SerializedResult {
  const message = messageOf(error)
  let payload: string
  try {
    payload = errorPayload(error)
    if (stack !== undefined)
      payload = `${payload.slice(0, -1)},"trace":${stringify(stack === '' ? [] : stack.split('\n'))}}`
  } catch {
    payload = errorPayload(message)
  }
  return { payload: isTooLong(payload) ? errorPayload(message) : payload, threw: message }
}

/** The maximum number of errors that the message of an AggregateError names. */
const mostErrors = 5

function shortText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : thrownText(error)
}

function messageOf(error: unknown): string {
  let message: string
  try {
    message = shortText(error)
    const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : []
    if (errors.length > 0) message += ` (${errors.slice(0, mostErrors).map(shortText).join('; ')})`
  } catch {
    message = 'an error without a description'
  }
  return message.length > 10_000 ? `${message.slice(0, 10_000)}…` : message
}
