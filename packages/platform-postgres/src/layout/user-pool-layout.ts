/**
 * The tables of user pools. `pool_names` contains the names that accounts sign in with. `pool_counts` contains the
 * counts of wrong passwords and of actions with a rate limit: `since` is the time when the count began or, for
 * passwords, the time of the last wrong password. `created_pools` contains the pools that were created through the API.
 */
export const userPoolLayout = `
create table pool_users (
  pool text collate "C" not null,
  id text collate "C" not null,
  name text collate "C" not null,
  status text not null,
  enabled boolean not null,
  attributes text not null,
  password text,
  password_expires bigint,
  factors text,
  sign_in_names text not null,
  created bigint not null,
  modified bigint not null,
  revision integer not null,
  primary key (pool, id)
);
create unique index pool_users_by_name on pool_users (pool, name);

create table pool_names (
  pool text collate "C" not null,
  name text collate "C" not null,
  owner text collate "C" not null,
  primary key (pool, name)
);
create index pool_names_by_owner on pool_names (pool, owner);

create table pool_credentials (
  pool text collate "C" not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  owner text collate "C" not null,
  expires bigint not null,
  value text not null,
  primary key (pool, kind, id)
);
create index pool_credentials_by_owner on pool_credentials (pool, owner, kind);
create index pool_credentials_by_end on pool_credentials (expires);

create table pool_counts (
  pool text collate "C" not null,
  key text collate "C" not null,
  count integer not null,
  since bigint not null,
  ends bigint not null,
  primary key (pool, key)
);
create index pool_counts_by_end on pool_counts (ends);

create table pool_groups (
  pool text collate "C" not null,
  name text collate "C" not null,
  description text,
  precedence integer,
  role text,
  created bigint not null,
  modified bigint not null,
  primary key (pool, name)
);

create table pool_members (
  pool text collate "C" not null,
  member text collate "C" not null,
  name text collate "C" not null,
  primary key (pool, member, name)
);
create index pool_members_by_group on pool_members (pool, name, member);

create table pool_messages (
  number bigint generated always as identity primary key,
  pool text collate "C" not null,
  id text collate "C" not null unique,
  owner text collate "C" not null,
  occasion text not null,
  medium text not null,
  recipient text not null,
  state text not null,
  contents text not null,
  ends bigint not null,
  created bigint not null
);
create index pool_messages_by_pool on pool_messages (pool, number);
create index pool_messages_by_owner on pool_messages (pool, owner);
create index pool_messages_by_state on pool_messages (number) where state = 'waiting';
create index pool_messages_by_end on pool_messages (ends) where contents <> '';

create table pool_keys (
  pool text collate "C" not null,
  id text collate "C" not null,
  use text not null,
  state text not null,
  key text not null,
  created bigint not null,
  expires bigint,
  primary key (pool, id)
);

create table created_pools (
  id text collate "C" primary key,
  description text not null,
  revision integer not null
);
`
