import { InvalidResponseError } from '@signalbox/core'

/**
 * Returns the error for a handler that returns `batchItemFailures`, as a function without Signalbox does. The value
 * would be ignored, and the messages that it names would be deleted. Returns undefined for any other value.
 * @param expected what the handler has to do instead
 */
export function returnedFailures(where: string, returned: unknown, expected: string): Error | undefined {
  if (typeof returned !== 'object' || returned === null) return undefined
  const { batchItemFailures: list } = returned as { readonly batchItemFailures?: unknown }
  if (!Array.isArray(list) || list.length === 0) return undefined
  return new InvalidResponseError(where, [
    { pointer: '/batchItemFailures', expected, actual: `an array of ${list.length}` },
  ])
}
