import type { DatabaseSync } from 'node:sqlite'
import { layoutOf, prepareLatestTime, upgradeLayout } from '@signalbox/platform-runtime/storage'
import { workLayout, workTimes } from '@signalbox/platform-runtime/work'

// `sender` is the sender of the envelope, and `author` is the address in the From header. `raw` is the last column, so
// that SQLite does not have to read it to reach the other columns. A mail in `held` has no due work. The invocation of a
// recipient is the key of the work that decides on it, or did. `facts` is JSON.
const layout = `
${workLayout}
create table if not exists mails (
  id text primary key,
  received_at integer not null,
  sender text not null,
  author text not null,
  subject text not null,
  spam integer not null,
  report integer not null,
  utf8 integer not null default 0,
  facts text,
  size integer not null,
  raw blob not null
) strict;
create index if not exists mails_by_age on mails (received_at);

create table if not exists recipients (
  id integer primary key,
  mail text not null,
  address text not null,
  direction text not null,
  state text not null,
  destination text,
  why text not null,
  attempts integer not null default 0,
  invocation text
) strict;
create index if not exists recipients_by_mail on recipients (mail);

create table if not exists held (
  mail text primary key
) strict, without rowid;

-- What was decided on mails before the reply to their clients. The latest attempt was at used_at. A function put raw in
-- the place of the mail's content.
create table if not exists early_decisions (
  key text primary key,
  content text not null,
  failures integer not null,
  first_failed_at integer,
  decision text,
  stored_as text,
  used_at integer not null,
  raw blob
) strict;
create index if not exists early_decisions_by_age on early_decisions (used_at);
`

/** The columns that contain times. */
export const timeColumns = {
  past: { mails: ['received_at'], early_decisions: ['first_failed_at', 'used_at'] },
  due: workTimes,
}

const version = 6

/** Selects the columns of the work that layouts 1 and 2 had in a table of invocations and a table of deliveries. */
export const earlierWork = `
select 'decide ' || function as queue, invocations.id as key, mail as owner, json_object(
    'rule', json_object('direction', direction, 'functionName', function, 'mode', mode, 'timeout', timeout,
      'fallback', fallback),
    'attempts', attempts, 'failedAfter', first_failed_at - received_at, 'why', why, 'next', next) as data,
  received_at as put_at, next_at as due_at
from invocations join mails on mails.id = mail where next_at is not null
union all
select 'deliver ' || carrier, carrier || ' ' || mail, mail, json_object('attempts', attempts), since, next_at
from deliveries`

/** Selects the invocations of the recipients of layout 1, in which a mail had one invocation for each direction. */
export const firstInvocation = `
(select id from invocations where mail = recipients.mail and direction = recipients.direction)`

const secondLayout = `
alter table mails add column utf8 integer not null default 0;
alter table recipients add column invocation text;
update recipients set invocation = ${firstInvocation};
`

const thirdLayout = `
insert into work (queue, key, owner, data, put_at, due_at) select * from (${earlierWork}) order by due_at;
drop table invocations;
drop table deliveries;
`

const fifthLayout = 'alter table mails add column facts text;'

const sixthLayout = 'alter table early_decisions add column raw blob;'

/**
 * Creates the tables of mail in a database.
 * @throws UnknownLayoutError if the database has a later layout
 */
export function prepareDatabase(database: DatabaseSync): void {
  // Deleted mails leave free pages, which can be returned to a disk that is nearly full.
  database.exec('pragma busy_timeout = 5000; pragma auto_vacuum = incremental')
  layoutOf(database, 'The mails', version)
  database.exec('pragma journal_mode = wal')
  // A large mail makes the write-ahead log grow. With this limit, the log shrinks again.
  database.exec('pragma journal_size_limit = 16777216')
  upgradeLayout(database, 'The mails', version, from => {
    database.exec(layout)
    if (from === 1) database.exec(secondLayout)
    if (from === 1 || from === 2) database.exec(thirdLayout)
    if (from > 0 && from < 5) database.exec(fifthLayout)
    // Earlier layouts have no table of decisions, which the layout has created with all columns.
    if (from === 4 || from === 5) database.exec(sixthLayout)
  })
  prepareLatestTime(database)
}
