/** Milliseconds after which messages of a killed platform are visible again. */
export const visibilityTimeout = 3000
