/**
 * Creates a table of work. `claimed_by` is the platform that works on it, as long as that platform is alive. `claim` is
 * the number of the claim. Only a result with the latest number counts. Times are milliseconds since the epoch.
 */
export const workTable = (name: string) => `
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

/** Moves the invocations and deliveries of mails to a table of work. */
export const mailWorkLayout = `
${workTable('mail_work')}
insert into mail_work (queue, key, owner, data, put_at, due_at)
select queue, key, mail, data::text, put_at, due_at from (
  select 'decide ' || function as queue, i.id as key, i.mail, json_build_object(
      'rule', json_build_object('direction', direction, 'functionName', function, 'mode', mode, 'timeout', timeout,
        'fallback', fallback),
      'attempts', attempts, 'failedAfter', first_failed_at - received_at, 'why', why, 'next', next) as data,
    received_at as put_at, greatest(next_at, blocked_until) as due_at, i.sequence
  from invocations i join mails m on m.id = i.mail where next_at is not null
  union all
  select 'deliver ' || carrier, carrier || ' ' || d.mail, d.mail, json_build_object('attempts', attempts), since,
    greatest(next_at, blocked_until), m.sequence
  from deliveries d join mails m on m.id = d.mail
) as w order by due_at, sequence;
update mail_work set tries = 1 where key in (select carrier || ' ' || mail from deliveries where attempted);
drop table invocations;
drop table deliveries;
`
