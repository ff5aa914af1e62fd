import type { DatabaseSync } from 'node:sqlite'

// `lane` is the group that a FIFO queue keeps in order, and null in a standard queue, where groups order nothing.
// `receipt` is that of the last receive, and null for what was not received since it came into its queue.
// `received_before` counts receives in queues that gave the message up.
// A row of `groups` stands for every group with messages: `ready_at` says when its first one may be received, and
// `turn` decides between groups that are ready at the same time.
const layout = `
create table if not exists queues (
  id integer primary key autoincrement,
  name text not null unique,
  attributes text not null,
  purged_at integer
) strict;

create table if not exists messages (
  id integer primary key autoincrement,
  queue integer not null,
  visible_at integer not null,
  sent_at integer not null,
  receives integer not null default 0,
  received_before integer not null default 0,
  first_received_at integer,
  receipt text,
  lane text,
  group_id text,
  deduplication_id text,
  message_id text not null,
  sender text not null,
  trace_header text,
  dead_letter_source text,
  attributes text,
  body text not null
) strict;
create index if not exists messages_by_visibility on messages (queue, visible_at, id);
create index if not exists messages_by_age on messages (queue, sent_at);
create index if not exists messages_by_lane on messages (queue, lane, id) where lane is not null;
create index if not exists messages_by_receipt on messages (queue, lane, visible_at)
  where lane is not null and receipt is not null;

create table if not exists groups (
  queue integer not null,
  lane text not null,
  ready_at integer not null,
  turn integer not null,
  primary key (queue, lane)
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
`

/**
 * Prepares a database for queues. What is committed is on the disk, so that neither a killed process nor a power
 * cut loses a message whose sender was told that it is stored.
 */
export function layOut(database: DatabaseSync): void {
  database.exec('pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full')
  database.exec('pragma cache_size = -32768')
  database.exec(layout)
}
