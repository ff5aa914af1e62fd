/** Milliseconds after which another box may get the messages of a box that was killed. */
export const visibilityTimeout = 10_000
