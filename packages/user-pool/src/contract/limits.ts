/** The maximum number of milliseconds for a trigger. The contract does not state it. */
export const triggerTimeout = 5_000

/** The number of times that a trigger is called before the operation fails. The contract does not state it. */
export const triggerAttempts = 3

/** The maximum number of characters of a custom e-mail message (docs/contract/user-pool.md#custom-message). */
export const emailMessageLength = 20_000

/** The maximum number of characters of a custom SMS message (docs/contract/user-pool.md#custom-message). */
export const smsMessageLength = 140
