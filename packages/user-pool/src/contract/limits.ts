/** Milliseconds that a trigger may take. The contract shows no limit for triggers: extension. */
export const triggerTimeout = 5_000

/** The number of calls of a trigger before the operation fails. Extension. */
export const triggerAttempts = 3

/** Characters that a custom e-mail message may have at most (docs/contract/user-pool.md#custom-message). Extension. */
export const emailMessageLength = 20_000

/** Characters that a custom SMS message may have at most (docs/contract/user-pool.md#custom-message). Extension. */
export const smsMessageLength = 140
