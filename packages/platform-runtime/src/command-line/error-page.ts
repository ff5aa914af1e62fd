import { errorCodes } from '@signalbox/telemetry/masking'

const page = 'https://github.com/signalbox/signalbox/blob/main/docs/errors.md'

/** The codes of the errors that stop a command of the platform. */
export const commandErrorCodes: ReadonlySet<string> = new Set([
  'DAMAGED_FILE',
  'DATABASE_UNAVAILABLE',
  'DATA_DIRECTORY_IN_USE',
  'EVENT_STORE_FULL',
  'EXECUTION_STORE_FULL',
  'INCOMPLETE_DATA',
  'INVALID_CONFIG',
  'UNKNOWN_LAYOUT',
  'UNUSABLE_FILE',
])

/** Codes of errors that a function throws on purpose. */
const wanted: ReadonlySet<string> = new Set(['DENIED', 'DISCARDED', 'HTTP_ERROR', 'UNHANDLED_MESSAGE'])

/** Returns the line that names where an error is explained, or nothing if it has no code of Signalbox. */
export function seePage(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' && (errorCodes.has(code) || commandErrorCodes.has(code)) ? see(code) : ''
}

/**
 * Returns the same line for the message of a failure, which contains the name of the error, such as `UnroutedError: …`.
 * Returns nothing for errors that a function throws on purpose.
 */
export function seePageOfFailure(message: string): string {
  for (const [, name] of message.matchAll(/\b([A-Z]\w+)Error: /g)) {
    const code = name!.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
    if (errorCodes.has(code) && !wanted.has(code)) return see(code)
  }
  return ''
}

/** Returns text with the line of `seePage` after it, if there is one. */
export function withPage(text: string, line: string): string {
  return line === '' ? text : `${text}\n${line}`
}

function see(code: string): string {
  return `see ${page}#${code}`
}
