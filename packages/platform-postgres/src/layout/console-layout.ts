/**
 * The unused links and the open sessions of the console, identified by digests of their secrets. A link becomes invalid
 * when its platform ends. Times are milliseconds since the epoch.
 */
export const consoleLayout = `
create table console_links (
  number bigint generated always as identity,
  digest text primary key,
  platform text not null references platforms (id) on delete cascade
);
create index console_links_by_platform on console_links (platform, number);

create table console_sessions (
  digest text primary key,
  key_id text,
  used_at bigint not null
);
create index console_sessions_by_use on console_sessions (used_at);
`
