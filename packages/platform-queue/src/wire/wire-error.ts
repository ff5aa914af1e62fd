import { QueueStoreError, type QueueStoreErrorCode } from '../store/queue-store-error.ts'

/**
 * An error as clients get it: its type in the JSON protocol, its code in the query protocol, and the HTTP
 * status.
 */
export interface WireError {
  readonly type: string
  readonly code: string
  readonly status: number
  readonly message: string
  /** The number of seconds after which the client may try again. */
  readonly retryAfter?: number | undefined
}

const prefix = 'AWS.SimpleQueueService.'

type Name = readonly [type: string, code: string, status?: number]

/**
 * The names of the store's errors for clients. Types that are not in the SQS model end in `Exception`, as on
 * AWS, which uses `InternalFailure` only for errors that it cannot explain. The codes are those of the query
 * protocol.
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
  UNAVAILABLE: ['ServiceUnavailableException', 'ServiceUnavailable', 503],
}

/** The errors that the listener reports without the store. */
export const protocolErrors = {
  EmptyBatchRequest: ['EmptyBatchRequest', `${prefix}EmptyBatchRequest`],
  TooManyEntries: ['TooManyEntriesInBatchRequest', `${prefix}TooManyEntriesInBatchRequest`],
  InvalidBatchEntryId: ['InvalidBatchEntryId', `${prefix}InvalidBatchEntryId`],
  EntryIdsNotDistinct: ['BatchEntryIdsNotDistinct', `${prefix}BatchEntryIdsNotDistinct`],
  BatchRequestTooLong: ['BatchRequestTooLong', `${prefix}BatchRequestTooLong`],
  Serialization: ['SerializationException', 'MalformedInput'],
  UnknownOperation: ['UnknownOperationException', 'InvalidAction'],
  NoOperation: ['UnknownOperationException', 'UnknownOperationException', 404],
  TooLarge: ['RequestEntityTooLargeException', 'RequestEntityTooLarge', 413],
  TooSlow: ['RequestTimeoutException', 'RequestTimeout', 408],
  NoRoom: ['ServiceUnavailableException', 'ServiceUnavailable', 503],
  MissingAuthenticationToken: ['MissingAuthenticationTokenException', 'MissingAuthenticationToken', 403],
  IncompleteSignature: ['IncompleteSignatureException', 'IncompleteSignature', 400],
  UnrecognizedClient: ['UnrecognizedClientException', 'InvalidClientTokenId', 403],
  InvalidSignature: ['InvalidSignatureException', 'SignatureDoesNotMatch', 403],
  RequestExpired: ['RequestExpiredException', 'RequestExpired', 400],
  Throttled: ['RequestThrottled', 'RequestThrottled', 403],
  Forbidden: ['AccessDeniedException', 'AccessDenied', 403],
  Internal: ['InternalFailure', 'InternalFailure', 500],
} as const satisfies { readonly [name: string]: Name }

/** An error for a request that the protocol refuses before it reaches a queue. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  readonly wire: WireError

  /** @param retryAfter the number of seconds after which the client may try again */
  constructor(name: keyof typeof protocolErrors, message: string, retryAfter?: number) {
    super(message)
    this.wire = { ...wireError(protocolErrors[name], message), retryAfter }
  }
}

/** Returns the error for a client that sent too many requests. */
export function rateExceeded(seconds: number): ProtocolError {
  return new ProtocolError('Throttled', `Rate exceeded. Try again after ${seconds} seconds.`, seconds)
}

/**
 * Returns an error in the form in which clients get it. Returns undefined for an error that clients must not see.
 */
export function wireErrorOf(error: unknown): WireError | undefined {
  if (error instanceof ProtocolError) return error.wire
  if (error instanceof QueueStoreError) return wireError(storeErrorNames[error.code], error.message)
  return undefined
}

function wireError([type, code, status = 400]: Name, message: string): WireError {
  return { type, code, status, message }
}
