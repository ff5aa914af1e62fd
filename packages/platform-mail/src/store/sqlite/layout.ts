import type { DatabaseSync } from 'node:sqlite'
import { layoutOf, prepareLatestTime } from '@signalbox/platform-runtime/storage'

// `sender` is the sender of the envelope, and `author` is the address in the From header. `raw` is the last column, so
// that SQLite does not have to read it to reach the other columns. An invocation is due at `next_at`, either for an
// attempt or, after the last attempt, for the rule's fallback. The rule of an invocation is the rule that applied when
// the mail arrived. `next_at` is null when the invocation has ended. A row of `deliveries` is the part of a mail that
// one carrier still has to deliver. A mail in `held` has no due work. The invocation of a recipient is the one that decides
// on it, or did.
const layout = `
create table if not exists mails (
  id text primary key,
  received_at integer not null,
  sender text not null,
  author text not null,
  subject text not null,
  spam integer not null,
  report integer not null,
  utf8 integer not null default 0,
  size integer not null,
  raw blob not null
) strict;
create index if not exists mails_by_age on mails (received_at);

create table if not exists invocations (
  id text primary key,
  mail text not null,
  direction text not null,
  function text not null,
  mode text not null,
  timeout real not null,
  fallback text not null,
  attempts integer not null default 0,
  first_failed_at integer,
  why text not null default '',
  next text not null default 'attempt',
  next_at integer
) strict;
create index if not exists invocations_by_time on invocations (function, next_at) where next_at is not null;
create index if not exists invocations_by_mail on invocations (mail);

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

create table if not exists deliveries (
  mail text not null,
  carrier text not null,
  since integer not null,
  attempts integer not null default 0,
  next_at integer not null,
  primary key (mail, carrier)
) strict, without rowid;
create index if not exists deliveries_by_time on deliveries (carrier, next_at);

create table if not exists held (
  mail text primary key
) strict, without rowid;
`

/** The columns that contain times. */
export const timeColumns = {
  past: { mails: ['received_at'] },
  due: { invocations: ['first_failed_at', 'next_at'], deliveries: ['since', 'next_at'] },
}

const version = 2

/** The statements that make layout 2 of layout 1, in which a mail had one invocation for each direction. */
const secondLayout = `
alter table mails add column utf8 integer not null default 0;
alter table recipients add column invocation text;
update recipients set invocation = (
  select id from invocations where mail = recipients.mail and direction = recipients.direction
);
`

/**
 * Creates the tables of mail in a database.
 * @throws UnknownLayoutError if the database has a later layout
 */
export function prepareDatabase(database: DatabaseSync): void {
  // Deleted mails leave free pages, which can be returned to a disk that is nearly full.
  database.exec('pragma busy_timeout = 5000; pragma auto_vacuum = incremental')
  const current = layoutOf(database, 'The mails', version)
  database.exec('pragma journal_mode = wal')
  // A large mail makes the write-ahead log grow. With this limit, the log shrinks again.
  database.exec('pragma journal_size_limit = 16777216')
  database.exec(layout)
  if (current === 1) database.exec(secondLayout)
  if (current < version) database.exec(`pragma user_version = ${version}`)
  prepareLatestTime(database)
}
