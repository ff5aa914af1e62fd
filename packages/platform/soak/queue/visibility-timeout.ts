/** Milliseconds after which what a killed box had in hand comes back. */
export const visibilityTimeout = 3000
