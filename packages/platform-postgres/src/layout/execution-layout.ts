import { workTable } from './work-layout.ts'

/**
 * The tables of the executions of durable functions. The data of each row is JSON. Times are milliseconds since the epoch.
 * What is in the other columns is there to be searched.
 */
export const executionLayout = `
${workTable('execution_work')}
create table executions (
  number bigint generated always as identity primary key,
  id text collate "C" not null unique,
  function text collate "C" not null,
  name text collate "C" not null,
  status text not null,
  started_at bigint not null,
  ended_at bigint,
  data text not null,
  unique (function, name)
);
create table execution_operations (
  execution text collate "C" not null,
  id text collate "C" not null,
  number integer not null,
  parent text collate "C",
  changed integer not null,
  due_at bigint,
  hidden boolean not null default false,
  data text not null,
  size integer not null generated always as (octet_length(data)) stored,
  primary key (execution, id)
);
create index execution_operations_by_change on execution_operations (execution, changed);
create index execution_operations_by_number on execution_operations (execution, number);
create index execution_operations_by_time on execution_operations (execution, due_at) where due_at is not null;
create index execution_operations_by_parent on execution_operations (execution, parent) where parent is not null;
create table execution_history (
  execution text collate "C" not null,
  number integer not null,
  data text not null,
  primary key (execution, number)
);
`

/**
 * Removes an index by a column that most changes of an operation change, so that they do not have to write all indexes of
 * the row. An execution has few operations, which are found by their number.
 */
export const fewerIndexesLayout = 'drop index execution_operations_by_change'
