/** The codes of the errors that functions can throw with Signalbox's packages. */
export const errorCodes: ReadonlySet<string> = new Set([
  'BATCH_FAILED',
  'CONFLICTING_ACTIONS',
  'DECISION_TIMEOUT',
  'DENIED',
  'DISCARDED',
  'HTTP_ERROR',
  'INBOUND_ONLY_ACTION',
  'INVALID',
  'INVALID_ADDRESS',
  'INVALID_BOUNCE_MESSAGE',
  'INVALID_EVENT',
  'INVALID_MESSAGE',
  'INVALID_OPTION',
  'INVALID_RESPONSE',
  'MAIL_NOT_PARSED',
  'MESSAGE_IN_PROGRESS',
  'NOT_DURABLE',
  'RESPONSE_TOO_LARGE',
  'TOO_MANY_ACTIONS',
  'TOO_MANY_RECIPIENTS',
  'TRIGGER_IN_PROGRESS',
  'UNHANDLED_MESSAGE',
  'UNKNOWN_EVENT',
  'UNKNOWN_MESSAGE',
  'UNLISTED_RECIPIENT',
  'UNROUTED',
  'UNSUPPORTED_DECISION',
])

/** Returns whether a field is the property `code` of an error of Signalbox, and not a one-time code. */
export function isErrorCode(name: string, value: string): boolean {
  return name === 'code' && errorCodes.has(value)
}
