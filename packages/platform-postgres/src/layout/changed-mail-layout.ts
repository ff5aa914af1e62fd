/** Adds the content that a function put in the place of the mail's, while no mail is stored after its decision. */
export const changedMailLayout = `
alter table early_decisions add column raw bytea;
alter table early_decisions alter column raw set storage external;
`
