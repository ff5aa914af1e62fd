import type { DatabaseSync } from 'node:sqlite'
import {
  type DamageReporter,
  damageReporter,
  layoutOf,
  prepareLatestTime,
  rollBack,
} from '@signalbox/platform-runtime/storage'

// `fifo_group` is the message group in a FIFO queue, and null in a standard queue, which does not order groups.
// `receipt` is part of the latest receipt handle, `received_at` is the time of the latest receive request, and
// `receives` counts the receive requests from this queue. `received_before` counts the receive requests from the queue
// that moved the message to this dead-letter queue. In a standard queue, `visible_at` is 0 for a message that waits for a
// receiver, `turn_at` orders those messages, and `nth` numbers the messages of a group. `groups` has a row for every FIFO group with messages: `ready_at`
// is the time when its first message is visible, and `turn` orders groups that are ready at the same time.
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
  turn_at integer not null default 0,
  nth integer not null default 0,
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
create index if not exists messages_by_turn on messages (queue, visible_at, turn_at, id, receives);
create index if not exists messages_by_group on messages (queue, group_id, nth, turn_at)
  where group_id is not null and fifo_group is null and receives = 0;
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

/** The columns that contain times. */
export const timeColumns = {
  past: {
    // A purge in the future refuses no other purge, so its time stays.
    queues: ['created_at', 'modified_at'],
    messages: ['sent_at', 'first_received_at', 'received_at'],
    moves: ['started_at'],
  },
  due: {
    messages: ['visible_at', 'turn_at'],
    groups: ['ready_at'],
    deduplications: ['expires_at'],
    receive_attempts: ['expires_at', 'hidden_until'],
  },
}

// The changes from layout 1. The index contains all columns that a count needs, so that messages are not read for
// counting.
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

// Layout 2 has the names "lane" for `fifo_group` and "retention" for the retention period.
const fromSecond = `
alter table messages rename column lane to fifo_group;
alter table groups rename column lane to fifo_group;
drop index messages_by_lane;
update queues set attributes = json_remove(
  json_set(attributes, '$.retentionPeriod', json_extract(attributes, '$.retention')), '$.retention')
where json_extract(attributes, '$.retention') is not null;
`

// In layout 3, messages of standard queues were received in the order in which they became visible.
const fromThird = `
alter table messages add column turn_at integer not null default 0;
alter table messages add column nth integer not null default 0;
update messages set turn_at = sent_at;
drop index if exists messages_by_visibility;
`

const version = 4

/**
 * Prepares a database for queues. Committed data survives if the process is killed. Data on the disk survives a power
 * cut. Earlier layouts are upgraded.
 * @throws UnknownLayoutError for a newer layout
 */
export function prepareDatabase(database: DatabaseSync): void {
  // This comes first, because another process might be preparing the database at the same time. With auto_vacuum, a
  // database that was large can return its pages to a disk that is nearly full.
  database.exec('pragma busy_timeout = 5000; pragma auto_vacuum = incremental')
  const found = layoutOf(database, 'The queues', version)
  database.exec('pragma journal_mode = wal')
  database.exec('pragma cache_size = -32768')
  if (found === version) return
  database.exec('begin immediate')
  try {
    // Another process might have prepared the database in the meantime.
    if (exists(database, 'index', 'messages_by_receipt')) database.exec(fromFirst)
    if (exists(database, 'index', 'messages_by_lane')) database.exec(fromSecond)
    if (isPrepared(database) && !hasTurns(database)) database.exec(fromThird)
    database.exec(layout)
    prepareLatestTime(database)
    database.exec(`pragma user_version = ${version}; commit`)
  } catch (error) {
    rollBack(database)
    throw error
  }
}

/**
 * Returns whether a database has tables for queues. The tables are missing while a platform starts, and after
 * it was killed during its start.
 */
export function isPrepared(database: DatabaseSync): boolean {
  return exists(database, 'table', 'messages')
}

function hasTurns(database: DatabaseSync): boolean {
  return (
    database.prepare("select 1 from pragma_table_info('messages') where name = 'turn_at'").get() !== undefined
  )
}

function exists(database: DatabaseSync, type: 'index' | 'table', name: string): boolean {
  return (
    database.prepare('select 1 from sqlite_schema where type = ? and name = ?').get(type, name) !== undefined
  )
}

/** Reports damage of a queue database. */
export const queueDamage: DamageReporter = damageReporter(
  'The queues',
  'Restore a copy of the file, or move it away to start with empty queues.',
)
