/** Bytes of an event as JSON, before truncation: 128 KB (contract, Limits, "Mail flow"). */
export const eventSizeLimit = 128 * 1024

/** Characters of `subject` that are kept, counted as code points: the first 256 (contract C and Limits, "Mail flow"). */
export const subjectLimit = 256

/** Milliseconds within which a synchronous function must respond: 15 s (contract, Limits, "Mail flow, synchronous"). */
export const responseTimeLimit = 15_000

/** Bytes of a response as JSON in UTF-8: 256 KB (contract, Limits, "Mail flow, synchronous"). */
export const responseSizeLimit = 256 * 1024

/** Elements that `actions` has at least: one (contract, Endpoints C). */
export const actionsMinimum = 1

/** Unique actions in a response, by type and parameters: ten (contract, Limits, "Mail flow, synchronous"). */
export const uniqueActionsLimit = 10

/** Recipients for functions on outbound mail: 500 (contract, Limits, "Mail flow, synchronous"). */
export const outboundRecipientsLimit = 500

/** Minutes of the shortest rule time-out: 0, no retries before the fallback (contract, Limits, "Mail flow, synchronous"). */
export const ruleTimeOutMinimum = 0

/** Minutes of the longest rule time-out: 240 (contract, Limits, "Mail flow, synchronous"). */
export const ruleTimeOutLimit = 240

/** Milliseconds from a first failure to its retry: one minute. An extension: the contract names no delay. */
export const firstRetryDelay = 60_000
