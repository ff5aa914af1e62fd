/** The addresses of a platform as JSON. A command that uses the database has none. */
export const platformLayout = `
alter table platforms add column addresses text;
`
