import type { DatabaseSync } from 'node:sqlite'
import { layoutOf, prepareLatestTime, rollBack } from '@signalbox/platform-runtime/storage'

// `names` contains the names that accounts sign in with, including their user names. `counts` contains the numbers of
// wrong passwords and of rate-limited actions. `since` is the time when the count began, or the time of the last wrong
// password.
const layout = `
create table if not exists users (
  pool text not null,
  id text not null,
  name text not null,
  status text not null,
  enabled integer not null,
  attributes text not null,
  password text,
  password_expires integer,
  factors text,
  sign_in_names text not null,
  created integer not null,
  modified integer not null,
  revision integer not null,
  primary key (pool, id)
) strict, without rowid;
create unique index if not exists users_by_name on users (pool, name);

create table if not exists names (
  pool text not null,
  name text not null,
  user text not null,
  primary key (pool, name)
) strict, without rowid;
create index if not exists names_by_user on names (pool, user);

create table if not exists credentials (
  pool text not null,
  kind text not null,
  id text not null,
  user text not null,
  expires integer not null,
  value text not null,
  primary key (pool, kind, id)
) strict, without rowid;
create index if not exists credentials_by_user on credentials (pool, user, kind);

create table if not exists counts (
  pool text not null,
  key text not null,
  count integer not null,
  since integer not null,
  ends integer not null,
  primary key (pool, key)
) strict, without rowid;
create index if not exists counts_by_end on counts (ends);

create table if not exists groups (
  pool text not null,
  name text not null,
  description text,
  precedence integer,
  role text,
  created integer not null,
  modified integer not null,
  primary key (pool, name)
) strict, without rowid;

create table if not exists members (
  pool text not null,
  user text not null,
  name text not null,
  primary key (pool, user, name)
) strict, without rowid;
create index if not exists members_by_group on members (pool, name, user);

create table if not exists messages (
  number integer primary key autoincrement,
  pool text not null,
  id text not null unique,
  user text not null,
  occasion text not null,
  medium text not null,
  recipient text not null,
  state text not null,
  contents text not null,
  ends integer not null,
  created integer not null
) strict;
create index if not exists messages_by_pool on messages (pool, number);
create index if not exists messages_by_user on messages (pool, user);
create index if not exists messages_by_state on messages (state) where state = 'waiting';
create index if not exists messages_by_end on messages (ends) where contents <> '';

create table if not exists keys (
  pool text not null,
  id text not null,
  use text not null,
  state text not null,
  key text not null,
  created integer not null,
  expires integer,
  primary key (pool, id)
) strict, without rowid;
create table if not exists pools (
  id text not null primary key,
  description text not null,
  revision integer not null
) strict, without rowid;
`

/** The SQL statements that migrate a database with layout 1. */
const sinceVersion1 = `
alter table users add column factors text;
`

/** The SQL statements that migrate a database with layout 1 or 2. */
const sinceVersion2 = `
drop index if exists credentials_by_end;
`

const version = 3

/**
 * Prepares a database for user pools, and makes sure that commits reach the disk.
 * @throws UnknownLayoutError for a later layout
 */
export function prepareDatabase(database: DatabaseSync): void {
  database.exec('pragma busy_timeout = 5000; pragma auto_vacuum = incremental')
  const found = layoutOf(database, 'The user pools', version)
  database.exec('pragma journal_mode = wal')
  prepareLatestTime(database)
  if (found === version) return
  database.exec('begin immediate')
  try {
    if (found === 1) database.exec(sinceVersion1)
    if (found > 0) database.exec(sinceVersion2)
    database.exec(layout)
    database.exec(`pragma user_version = ${version}; commit`)
  } catch (error) {
    rollBack(database)
    throw error
  }
}
