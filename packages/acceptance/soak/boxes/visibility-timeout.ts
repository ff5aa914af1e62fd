/** Milliseconds after which another box may receive the messages of a killed box. */
export const visibilityTimeout = 10_000
