/**
 * The table of the invocation log. Times are milliseconds since the epoch. `other` contains the remaining strings of
 * an entry as JSON, because PostgreSQL text cannot contain every character. `invocation_log` has one row: writers
 * lock it, so that ids have the order of commits, and a reader that continues after an id misses no entry.
 */
export const invocationLayout = `
create table logged_invocations (
  id bigint primary key,
  request_id text not null,
  function text collate "C" not null,
  source text not null,
  family text,
  attempt integer not null,
  generation integer not null,
  started double precision not null,
  duration double precision not null,
  verdict text,
  is_ok boolean not null,
  has_failed boolean not null,
  is_masked boolean not null,
  size integer not null,
  event text not null,
  other text not null
);
alter table logged_invocations set (autovacuum_vacuum_insert_scale_factor = 0.1);
create index logged_invocations_by_function on logged_invocations (function, id);
create index logged_invocations_by_request on logged_invocations (request_id);
create index logged_invocations_by_time on logged_invocations (started);

create table invocation_log (last_id bigint not null, size bigint not null);
insert into invocation_log values (0, 0);
`

/** Adds how much the result of each entry hurts. Of existing entries, their verdict alone decides. */
export const severityLayout = `
alter table logged_invocations add column severity text not null default 'ok';
update logged_invocations set severity = case when verdict is not null or has_failed then 'error' else 'neutral' end
  where not is_ok;
alter table logged_invocations alter column severity drop default, drop column has_failed;
`

/**
 * Gives the texts of an entry a column each, with the first part, and one for the compressed remainders, as in SQLite. The
 * existing entries are deleted, because SQL can neither compress their texts nor read every string in their JSON.
 */
export const searchedLayout = `
delete from logged_invocations;
update invocation_log set size = 0;
alter table logged_invocations drop column other,
  add column payload text not null,
  add column result text not null,
  add column logs text not null,
  add column rest bytea;
`

/** Adds the span of each invocation, and the spans that caused it. */
export const traceLayout = `
alter table logged_invocations add column trace_id text, add column parent_id text,
  add column links text;
create index logged_invocations_by_trace on logged_invocations (trace_id) where trace_id is not null;
create index logged_invocations_with_links on logged_invocations (id) where links is not null;
`
