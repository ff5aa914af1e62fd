/**
 * Adds a column for the platform that delivers a waiting message of a user pool. Another platform delivers the message
 * only after that platform is gone.
 */
export const messageLayout = `
alter table pool_messages add column claimed_by text;
`
