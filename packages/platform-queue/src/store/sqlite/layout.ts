import type { DatabaseSync } from 'node:sqlite'
import { SignalboxError } from '@signalbox/core/base'
import { damageReporter, fileOf, layOutLatestTime, rollBack } from '@signalbox/platform-runtime/storage'

// `fifo_group` is the group that a FIFO queue keeps in order, and null in a standard queue, where groups order nothing.
// `receipt` is that of the last receive, `received_at` the time of it, and `receives` counts receives since the message
// came into its queue.
// `received_before` counts receives in queues that gave the message up.
// A row of `groups` stands for every group with messages: `ready_at` says when its first one may be received, and
// `turn` decides between groups that are ready at the same time.
const layout = `
create table if not exists queues (
  id integer primary key autoincrement,
  name text not null unique,
  attributes text not null,
  purged_at integer,
  tags text not null default '{}',
  created_at integer not null default 0,
  modified_at integer not null default 0
) strict;

create table if not exists messages (
  id integer primary key autoincrement,
  queue integer not null,
  visible_at integer not null,
  sent_at integer not null,
  receives integer not null default 0,
  received_before integer not null default 0,
  first_received_at integer,
  received_at integer,
  receipt text,
  fifo_group text,
  group_id text,
  deduplication_id text,
  message_id text not null,
  sender text not null,
  trace_header text,
  dead_letter_source text,
  attributes text,
  body text not null
) strict;
create index if not exists messages_by_visibility on messages (queue, visible_at, id, receives);
create index if not exists messages_by_age on messages (queue, sent_at);
create index if not exists messages_by_fifo_group on messages (queue, fifo_group, id) where fifo_group is not null;

create table if not exists groups (
  queue integer not null,
  fifo_group text not null,
  ready_at integer not null,
  turn integer not null,
  primary key (queue, fifo_group)
) strict, without rowid;
create index if not exists groups_by_readiness on groups (queue, ready_at, turn);

create table if not exists deduplications (
  queue integer not null,
  token text not null,
  expires_at integer not null,
  message integer not null,
  message_id text not null,
  primary key (queue, token)
) strict, without rowid;
create index if not exists deduplications_by_expiry on deduplications (expires_at);

create table if not exists receive_attempts (
  queue integer not null,
  attempt text not null,
  expires_at integer not null,
  hidden_until integer not null,
  messages text not null,
  primary key (queue, attempt)
) strict, without rowid;
create index if not exists receive_attempts_by_expiry on receive_attempts (expires_at);

create table if not exists moves (
  id integer primary key autoincrement,
  task text not null unique,
  source integer not null,
  destination text,
  per_second integer,
  last_message integer not null,
  started_at integer not null,
  to_move integer not null,
  moved integer not null default 0,
  status text not null default 'RUNNING',
  failure text
) strict;
create index if not exists moves_by_source on moves (source, id);
`

// What the first layout lacks. Index entries hold what a count needs, so that it does not look at messages.
const fromFirst = `
alter table queues add column tags text not null default '{}';
alter table queues add column created_at integer not null default 0;
alter table queues add column modified_at integer not null default 0;
update queues set created_at = unixepoch() * 1000, modified_at = unixepoch() * 1000;
alter table messages add column received_at integer;
update messages set received_at = first_received_at where receipt is not null;
drop index messages_by_visibility;
drop index messages_by_receipt;
`

// Layout 2 calls `fifo_group` "lane" and the retention period "retention".
const fromSecond = `
alter table messages rename column lane to fifo_group;
alter table groups rename column lane to fifo_group;
drop index messages_by_lane;
update queues set attributes = json_remove(
  json_set(attributes, '$.retentionPeriod', json_extract(attributes, '$.retention')), '$.retention')
where json_extract(attributes, '$.retention') is not null;
`

const version = 3

/** The queues were written by a newer version, whose layout this one does not know. */
export class UnknownQueuesError extends SignalboxError {
  override readonly name = 'UnknownQueuesError'
  readonly code = 'UNKNOWN_QUEUES'
}

/**
 * Prepares a database for queues. What is committed is on the disk, so that neither a killed process nor a power
 * cut loses a message whose sender was told that it is stored. Queues of the first layout are taken over.
 * @throws UnknownQueuesError for queues of a later layout
 */
export function layOut(database: DatabaseSync): void {
  // First of all, since another process may be laying it out right now. A database that had a large backlog can
  // return the pages to a disk that is nearly full.
  database.exec('pragma busy_timeout = 5000; pragma auto_vacuum = incremental')
  const found = Number(database.prepare('pragma user_version').get()!.user_version)
  if (found > version)
    throw new UnknownQueuesError(
      `The queues in ${fileOf(database)} have layout ${found}, and this version of Signalbox knows ${version} and earlier ones. Use the version that wrote them, or another dataDir.`,
    )
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec('pragma cache_size = -32768')
  if (found === version) return
  database.exec('begin immediate')
  try {
    // Another process may have been first.
    if (exists(database, 'index', 'messages_by_receipt')) database.exec(fromFirst)
    if (exists(database, 'index', 'messages_by_lane')) database.exec(fromSecond)
    database.exec(layout)
    layOutLatestTime(database)
    database.exec(`pragma user_version = ${version}; commit`)
  } catch (error) {
    rollBack(database)
    throw error
  }
}

function exists(database: DatabaseSync, type: 'index' | 'table', name: string): boolean {
  return (
    database.prepare('select 1 from sqlite_schema where type = ? and name = ?').get(type, name) !== undefined
  )
}

/** Works with a database of queues. Throws DamagedFileError for a file that is damaged. */
export const fromQueues = damageReporter(
  'The queues',
  'Put a copy of the file back, or move it away: then all queues begin empty.',
)
