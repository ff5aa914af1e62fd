export { thrownText } from './thrown-text.ts'

/** The content of the text that a function returned. */
export type Payload =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly errorType: string; readonly errorMessage: string }
  | { readonly kind: 'malformed'; readonly why: string }

// The white space of JSON, which does not include a byte order mark.
const blank = /^[ \t\r\n]*$/

/**
 * Reads the text that a function returned. Never throws. For blank text, the value is `undefined`. An object with a
 * string `errorMessage` and only the further keys `errorType`, `stackTrace`, `trace`, `requestId` and `cause` is a
 * failed invocation. The contract does not define this form. See docs/decisions/instances-and-invocations.md#failed-invocations.
 * @example
 * ```ts
 * import { readPayload } from '@signalbox/core/payload'
 *
 * readPayload('{"statusCode":200}') // { kind: 'value', value: { statusCode: 200 } }
 * readPayload('{"errorMessage":"no"}') // { kind: 'error', errorType: 'Error', errorMessage: 'no' }
 * readPayload('{') // { kind: 'malformed', why: 'the payload is not JSON' }
 * ```
 */
export function readPayload(text: string): Payload {
  if (blank.test(text)) return { kind: 'value', value: undefined }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'malformed', why: 'the payload is not JSON' }
  }
  return readAnswer(value)
}

/**
 * Does the same as `readPayload` for a payload that is already parsed.
 * @example
 * ```ts
 * import { readAnswer } from '@signalbox/core/payload'
 *
 * readAnswer({ errorMessage: 'no' }) // { kind: 'error', errorType: 'Error', errorMessage: 'no' }
 * readAnswer(undefined) // { kind: 'value', value: undefined }
 * ```
 */
export function readAnswer(value: unknown): Exclude<Payload, { readonly kind: 'malformed' }> {
  return isError(value)
    ? { kind: 'error', errorType: value.errorType ?? 'Error', errorMessage: value.errorMessage }
    : { kind: 'value', value }
}

/**
 * Returns the payload of an invocation that failed with `error`, which may be any thrown value.
 * @example
 * ```ts
 * import { errorPayload } from '@signalbox/core/payload'
 *
 * errorPayload(new TypeError('no total')) // '{"errorType":"TypeError","errorMessage":"no total"}'
 * ```
 */
export function errorPayload(error: unknown): string {
  return error instanceof Error
    ? JSON.stringify({ errorType: String(error.name), errorMessage: String(error.message) })
    : JSON.stringify({ errorType: 'Error', errorMessage: asText(error) })
}

function asText(thrown: unknown): string {
  try {
    return String(thrown)
  } catch {
    return 'something that has no text was thrown'
  }
}

const errorKeys = ['errorMessage', 'errorType', 'stackTrace', 'trace', 'requestId', 'cause']

function isError(value: unknown): value is { errorType?: string; errorMessage: string } {
  if (value === undefined || value === null) return false
  const { errorMessage, errorType } = value as Record<string, unknown>
  return (
    typeof errorMessage === 'string' &&
    (errorType === undefined || typeof errorType === 'string') &&
    Object.keys(value).every(key => errorKeys.includes(key))
  )
}
