/**
 * Creates a table of work. `claimed_by` is the platform that works on it, as long as that platform is alive. `claim` is
 * the number of the claim. Only a result with the latest number counts. Times are milliseconds since the epoch.
 */
const workTable = (name: string) => `
create table ${name} (
  number bigint generated always as identity primary key,
  queue text collate "C" not null,
  key text collate "C" not null unique,
  owner text collate "C" not null,
  data text not null,
  put_at bigint not null,
  due_at bigint not null,
  tries integer not null default 0,
  claimed_by text,
  claim bigint
);
create index ${name}_by_time on ${name} (queue, due_at, number);
create index ${name}_by_owner on ${name} (owner);
`

/** Moves asynchronous events to a table of work. An attempt that was running counts. */
export const eventWorkLayout = `
${workTable('event_work')}
insert into event_work (queue, key, owner, data, put_at, due_at)
select function, id, '', json_build_object('payload', payload, 'clientContext', client_context, 'attempts', attempts,
  'refusals', refusals, 'failure', failure::json)::text, accepted_at, case when is_taken then accepted_at else due_at end
from events order by number;
drop table events;
`
