/** Milliseconds that a trigger may take. The contract shows no limit for triggers: extension. */
export const triggerTimeout = 5_000

/** How often the platform calls a trigger before it gives up. Extension. */
export const triggerAttempts = 3

/** Characters that a custom e-mail message may have at most (contract A, custom message). Extension. */
export const emailMessageLength = 20_000

/** Characters that a custom SMS message may have at most (contract A, custom message). Extension. */
export const smsMessageLength = 140
