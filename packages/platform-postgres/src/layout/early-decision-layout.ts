/** What was decided on mails before the reply to their clients. `used_at` is the time of the latest attempt. */
export const earlyDecisionLayout = `
create table early_decisions (
  key text collate "C" primary key,
  content text not null,
  failures integer not null,
  first_failed_at bigint,
  decision text,
  stored_as text collate "C",
  used_at bigint not null
);
create index early_decisions_by_age on early_decisions (used_at);
`
