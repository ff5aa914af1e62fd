import { thrownText } from '@signalbox/core/payload'

const mostCauses = 5

/** The maximum number of errors that the text of an AggregateError lists. */
const mostErrors = 5

/**
 * Describes any thrown value and its causes, for logs and for responses in development. An object that is no error is
 * described by its content, without secrets.
 */
export function errorText(error: unknown, causesLeft: number = mostCauses): string {
  try {
    if (!(error instanceof Error)) return thrownText(error)
    const parts = [error.stack ?? error.message]
    if (causesLeft === 0) return parts.join()
    const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : []
    // Only one level of errors is listed in full, so that errors inside errors cannot make a very long text.
    for (const each of errors.slice(0, mostErrors)) parts.push(`one of its errors: ${errorText(each, 0)}`)
    if (errors.length > mostErrors) parts.push(`${errors.length - mostErrors} more errors`)
    if (error.cause !== undefined) parts.push(`caused by: ${errorText(error.cause, causesLeft - 1)}`)
    return parts.join('\n')
  } catch {
    return 'a value without a text was thrown'
  }
}
