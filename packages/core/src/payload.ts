/** What a function answered, as far as its text says. */
export type Payload =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly errorType: string; readonly errorMessage: string }
  | { readonly kind: 'malformed'; readonly why: string }

// What JSON regards as white space: a lone byte order mark, for one, is not nothing.
const blank = /^[ \t\r\n]*$/

/**
 * Reads the text that a function returned. Never throws, whatever the text. Blank text is the value `undefined`:
 * nothing was returned. An object with a text `errorMessage` and no keys but that, `errorType` and those that
 * runtimes add (`stackTrace` or `trace`, `requestId`, `cause`) is what a failed invocation looks like on the wire
 * (the contract is silent about it, this is Signalbox's choice).
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

/** The same for what the text says. */
export function readAnswer(value: unknown): Exclude<Payload, { readonly kind: 'malformed' }> {
  return isError(value)
    ? { kind: 'error', errorType: value.errorType ?? 'Error', errorMessage: value.errorMessage }
    : { kind: 'value', value }
}

/** The payload of an invocation that failed with `error`, whatever was thrown. */
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
