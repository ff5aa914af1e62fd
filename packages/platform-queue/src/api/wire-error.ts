import { QueueStoreError, type QueueStoreErrorCode } from '../store/queue-store-error.ts'

/** An error as the protocol tells it: its name, its name in the protocol's older form, and the HTTP status. */
export interface WireError {
  readonly type: string
  readonly code: string
  readonly status: number
  readonly message: string
}

const prefix = 'AWS.SimpleQueueService.'

type Name = readonly [type: string, code: string, status?: number]

/**
 * What clients know the store's errors as. Types that the service's model does not have end in `Exception`, as on the
 * service, which calls only what it cannot explain `InternalFailure`; the codes are those of the older form.
 */
export const storeErrorNames: { readonly [code in QueueStoreErrorCode]: Name } = {
  QUEUE_NOT_FOUND: ['QueueDoesNotExist', `${prefix}NonExistentQueue`],
  QUEUE_EXISTS: ['QueueNameExists', 'QueueAlreadyExists'],
  RECEIPT_HANDLE_INVALID: ['ReceiptHandleIsInvalid', 'ReceiptHandleIsInvalid', 404],
  RECEIPT_HANDLE_EXPIRED: ['InvalidParameterValueException', 'InvalidParameterValue'],
  NOT_IN_FLIGHT: ['MessageNotInflight', `${prefix}MessageNotInflight`],
  INVALID_CONTENTS: ['InvalidMessageContents', 'InvalidMessageContents'],
  MISSING_PARAMETER: ['MissingRequiredParameterException', 'MissingParameter'],
  INVALID_PARAMETER: ['InvalidParameterValueException', 'InvalidParameterValue'],
  INVALID_ATTRIBUTE_NAME: ['InvalidAttributeName', 'InvalidAttributeName'],
  INVALID_ATTRIBUTE_VALUE: ['InvalidAttributeValue', 'InvalidAttributeValue'],
  PURGE_IN_PROGRESS: ['PurgeQueueInProgress', `${prefix}PurgeQueueInProgress`, 403],
  OVER_LIMIT: ['OverLimit', 'OverLimit', 403],
  RESOURCE_NOT_FOUND: ['ResourceNotFoundException', 'ResourceNotFoundException', 404],
  UNSUPPORTED: ['UnsupportedOperation', `${prefix}UnsupportedOperation`],
  STORAGE_FULL: ['ServiceUnavailableException', 'ServiceUnavailable', 503],
}

/** Errors that only the protocol knows. */
export const protocolErrors = {
  EmptyBatchRequest: ['EmptyBatchRequest', `${prefix}EmptyBatchRequest`],
  TooManyEntries: ['TooManyEntriesInBatchRequest', `${prefix}TooManyEntriesInBatchRequest`],
  InvalidBatchEntryId: ['InvalidBatchEntryId', `${prefix}InvalidBatchEntryId`],
  EntryIdsNotDistinct: ['BatchEntryIdsNotDistinct', `${prefix}BatchEntryIdsNotDistinct`],
  BatchRequestTooLong: ['BatchRequestTooLong', `${prefix}BatchRequestTooLong`],
  Serialization: ['SerializationException', 'MalformedInput'],
  UnknownOperation: ['UnknownOperationException', 'InvalidAction'],
  TooLarge: ['RequestEntityTooLargeException', 'RequestEntityTooLarge', 413],
  TooSlow: ['RequestTimeoutException', 'RequestTimeout', 408],
  NoRoom: ['ServiceUnavailableException', 'ServiceUnavailable', 503],
  Forbidden: ['AccessDeniedException', 'AccessDenied', 403],
  Internal: ['InternalFailure', 'InternalFailure', 500],
} as const satisfies { readonly [name: string]: Name }

/** A request that the protocol refuses before any queue is asked. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  readonly wire: WireError

  constructor(name: keyof typeof protocolErrors, message: string) {
    super(message)
    this.wire = wireError(protocolErrors[name], message)
  }
}

/** How an error is told to clients; undefined for one that is none of theirs. */
export function wireErrorOf(error: unknown): WireError | undefined {
  if (error instanceof ProtocolError) return error.wire
  if (error instanceof QueueStoreError) return wireError(storeErrorNames[error.code], error.message)
  return undefined
}

function wireError([type, code, status = 400]: Name, message: string): WireError {
  return { type, code, status, message }
}
