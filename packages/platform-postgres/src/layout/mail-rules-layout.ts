/**
 * Adds columns for mails whose clients used SMTPUTF8, and for the invocation that decides on a recipient. Before, a mail had
 * one invocation for each direction.
 */
export const mailRulesLayout = `
alter table mails add column utf8 boolean not null default false;
alter table recipients add column invocation text collate "C";
update recipients r set invocation = i.id from invocations i where i.mail = r.mail and i.direction = r.direction;
`
