/** The maximum duration of a trigger in milliseconds. The contract does not state it. */
export const triggerTimeout = 5_000

/**
 * The maximum number of times that the platform calls a trigger before the operation fails. Neither the contract nor the
 * service states a number.
 */
export const triggerAttempts = 3

/** The maximum number of characters in a custom e-mail message (docs/contract/user-pool.md#custom-message). */
export const emailMessageLength = 20_000

/** The maximum number of characters in a custom SMS message (docs/contract/user-pool.md#custom-message). */
export const smsMessageLength = 140
