/** The maximum number of milliseconds for a trigger. Not in the contract. */
export const triggerTimeout = 5_000

/** The number of times that a trigger is called before the operation fails. Not in the contract. */
export const triggerAttempts = 3

/** The maximum number of characters of a custom e-mail message (docs/contract/user-pool.md#custom-message). */
export const emailMessageLength = 20_000

/** The maximum number of characters of a custom SMS message (docs/contract/user-pool.md#custom-message). */
export const smsMessageLength = 140
