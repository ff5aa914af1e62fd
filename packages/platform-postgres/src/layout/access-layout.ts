/**
 * The tables for the keys of identities and for the access log. Times are milliseconds since the epoch.
 * `access_keys_version` has one row: every change of keys locks and increments it, so that platforms read the keys
 * again only after a change. The key of a log entry is a digest of the requests that it counts.
 */
export const accessLayout = `
create table access_keys (
  id text primary key,
  identity text not null,
  sealed text,
  created double precision not null,
  expires double precision,
  revoked double precision
);
create table access_keys_version (version bigint not null);
insert into access_keys_version values (0);

create table access_log (
  id bigint generated always as identity,
  key text primary key,
  first double precision not null,
  last double precision not null,
  count bigint not null,
  identity text not null,
  source text not null,
  operation text not null,
  resource text not null,
  result text not null,
  address text not null
);
create index access_log_by_time on access_log (last, id);
`
