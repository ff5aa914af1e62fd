import { InvalidResponseError } from '@signalbox/core'

/**
 * Refuses the result of a handler that returns `batchItemFailures`, as a function without Signalbox does. The value would
 * be ignored, and the messages that it names would be deleted.
 * @param expected what the handler has to do instead
 * @throws InvalidResponseError
 */
export function refuseReturnedFailures(where: string, returned: unknown, expected: string): void {
  if (typeof returned !== 'object' || returned === null) return
  const { batchItemFailures: list } = returned as { readonly batchItemFailures?: unknown }
  if (!Array.isArray(list) || list.length === 0) return
  throw new InvalidResponseError(where, [
    { pointer: '/batchItemFailures', expected, actual: `an array of ${list.length}` },
  ])
}
