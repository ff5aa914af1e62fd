/** The maximum number of bytes of an event as JSON: docs/contract/mail-flow.md#limits.eventSize. */
export const eventSizeLimit = 128 * 1024

/** The maximum number of code points in `subject`: docs/contract/mail-flow.md#limits.subject. */
export const subjectLimit = 256

/** The maximum number of milliseconds for a synchronous function: docs/contract/mail-flow.md#limits.responseTime. */
export const responseTimeLimit = 15_000

/** The maximum number of bytes of a response as JSON in UTF-8: docs/contract/mail-flow.md#limits.responseSize. */
export const responseSizeLimit = 256 * 1024

/** The minimum number of elements of `actions`: docs/contract/mail-flow.md#response.actions. */
export const actionsMinimum = 1

/** The maximum number of unique actions in a response: docs/contract/mail-flow.md#limits.uniqueActions. */
export const uniqueActionsLimit = 10

/**
 * The maximum number of recipients of an outbound mail for a synchronous function:
 * docs/contract/mail-flow.md#limits.outboundRecipients.
 */
export const outboundRecipientsLimit = 500

/**
 * The shortest rule time-out in minutes, which means no retries. See docs/contract/mail-flow.md#limits.ruleTimeOut.
 */
export const ruleTimeOutMinimum = 0

/** The longest rule time-out in minutes. See docs/contract/mail-flow.md#limits.ruleTimeOut. */
export const ruleTimeOutLimit = 240

/**
 * The number of milliseconds between the first failure and its retry. This delay is an extension of the contract. See
 * docs/contract/mail-flow.md#limits.firstRetry.
 */
export const firstRetryDelay = 60_000
