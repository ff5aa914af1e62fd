/** Adds a column for the addresses of a platform, as JSON. It is null for a command that uses the database. */
export const platformLayout = `
alter table platforms add column addresses text;
`
