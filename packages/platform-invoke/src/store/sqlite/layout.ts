import type { DatabaseSync } from 'node:sqlite'
import { layoutOf, prepareLatestTime, upgradeLayout } from '@signalbox/platform-runtime/storage'
import { workLayout, workTimes } from '@signalbox/platform-runtime/work'

const version = 1

/** The columns of the database that contain times, by their table. */
export const executionTimes = { ...workTimes, operations: ['due_at'], executions: ['started_at', 'ended_at'] }

const layout = `
create table executions (
  number integer primary key autoincrement,
  id text not null unique,
  function text not null,
  name text not null,
  status text not null,
  started_at integer not null,
  ended_at integer,
  data text not null,
  unique (function, name)
) strict;
create table operations (
  execution text not null,
  id text not null,
  number integer not null,
  parent text,
  changed integer not null,
  due_at integer,
  hidden integer not null default 0,
  data text not null,
  primary key (execution, id)
) strict, without rowid;
create index operations_by_change on operations (execution, changed);
create index operations_by_number on operations (execution, number);
create index operations_by_time on operations (execution, due_at) where due_at is not null;
create index operations_by_parent on operations (execution, parent) where parent is not null;
create table history (
  execution text not null,
  number integer not null,
  data text not null,
  primary key (execution, number)
) strict, without rowid;
`

/** Prepares a database for executions. */
export function layOut(database: DatabaseSync): void {
  database.exec('pragma busy_timeout = 5000; pragma auto_vacuum = incremental')
  layoutOf(database, 'The executions', version)
  database.exec('pragma journal_mode = wal')
  upgradeLayout(database, 'The executions', version, () => {
    database.exec(workLayout)
    database.exec(layout)
    prepareLatestTime(database)
  })
}
