/**
 * The platform that delivers a waiting message of a user pool. Another platform delivers it only after this one is
 * gone.
 */
export const messageLayout = `
alter table pool_messages add column claimed_by text;
`
