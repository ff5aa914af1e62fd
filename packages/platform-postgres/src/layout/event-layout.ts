/**
 * The table of events that wait for the asynchronous invocation of their functions. Times are milliseconds
 * since the epoch.
 */
export const eventLayout = `
create table events (
  number bigint generated always as identity primary key,
  id text not null unique,
  function text not null,
  payload text not null,
  client_context text,
  accepted_at bigint not null,
  due_at bigint not null,
  attempts integer not null default 0,
  refusals integer not null default 0,
  failure text,
  lease bigint not null default 0,
  is_taken boolean not null default false
);
create index events_by_time on events (function, due_at, number);
`
