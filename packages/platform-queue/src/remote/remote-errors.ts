import { QueueStoreError, type QueueStoreErrorCode } from '../store/queue-store-error.ts'
import { storeErrorNames } from '../wire/wire-error.ts'

/** Returns the store's error code for an error name of the service. Returns undefined for other names. */
export function storeErrorOf(
  name: string | undefined,
  message = 'The queue service refused the request.',
): QueueStoreError | undefined {
  if (name === undefined) return undefined
  const expired = Object.hasOwn(ambiguousNames, name) && message.includes('has expired')
  // Some services add the prefix of the query protocol to error names that have no prefix on AWS.
  const bare = name.replace(/^AWS\.SimpleQueueService\./, '')
  const found = Object.entries(storeErrorNames).find(
    ([, [type, code]]) => type === name || code === name || type === bare,
  )
  const own = Object.hasOwn(tooLargeNames, bare) ? 'INVALID_PARAMETER' : undefined
  const code = ambiguousNames[name] ?? own ?? (found?.[0] as QueueStoreErrorCode | undefined)
  if (code === undefined) return undefined
  return new QueueStoreError(expired ? 'RECEIPT_HANDLE_EXPIRED' : code, message)
}

/** How a service refuses a request that is too large as a whole, as one with a single message can be. */
const tooLargeNames: { readonly [name: string]: true } = {
  ...{ BatchRequestTooLong: true, RequestEntityTooLarge: true, RequestEntityTooLargeException: true },
}

/** The meaning of names that stand for more than one error. */
const ambiguousNames: { readonly [name: string]: QueueStoreErrorCode } = {
  InvalidParameterValue: 'INVALID_PARAMETER',
  InvalidParameterValueException: 'INVALID_PARAMETER',
}

/**
 * Waits for a call to the service. A failed call rejects with the store's error for that failure, or with the original
 * error if the store has none.
 */
export async function asStoreError<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const { name, Code, message } = error as { name?: string; Code?: string; message?: string }
    throw storeErrorOf(name, message) ?? storeErrorOf(Code, message) ?? error
  }
}
