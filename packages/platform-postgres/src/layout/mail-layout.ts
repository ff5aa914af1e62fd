/**
 * The tables of mail. `claimed_by` is the platform that works on an invocation or a delivery, as long as that platform
 * is alive. `claim` is the number of the claim. Only a result with the latest number counts. Work that was given back
 * is not claimed before `blocked_until`. A mail in `held` has no due work.
 */
export const mailLayout = `
create table platforms (
  id text primary key,
  host text not null,
  process integer not null,
  started_at bigint not null,
  alive_until bigint not null
);

create sequence claims;

create table mails (
  sequence bigint generated always as identity,
  id text collate "C" primary key,
  received_at bigint not null,
  sender text not null,
  author text not null,
  subject text not null,
  spam boolean not null,
  report boolean not null,
  size integer not null,
  raw bytea not null
);
alter table mails alter column raw set storage external;
create index mails_by_age on mails (received_at, sequence);

create table invocations (
  sequence bigint generated always as identity,
  id text collate "C" primary key,
  mail text collate "C" not null,
  direction text not null,
  function text collate "C" not null,
  mode text not null,
  timeout double precision not null,
  fallback text not null,
  attempts integer not null default 0,
  first_failed_at bigint,
  why text not null default '',
  next text not null default 'attempt',
  next_at bigint,
  blocked_until bigint not null default 0,
  claimed_by text,
  claim bigint
);
create index invocations_by_time on invocations (function, next_at, sequence) where next_at is not null;
create index invocations_by_mail on invocations (mail);

create table recipients (
  id bigint generated always as identity primary key,
  mail text collate "C" not null,
  address text not null,
  direction text not null,
  state text not null,
  destination text,
  why text not null,
  attempts integer not null default 0
);
create index recipients_by_mail on recipients (mail, id);

create table deliveries (
  mail text collate "C" not null,
  carrier text not null,
  since bigint not null,
  attempts integer not null default 0,
  next_at bigint not null,
  blocked_until bigint not null default 0,
  attempted boolean not null default false,
  claimed_by text,
  claim bigint,
  primary key (mail, carrier)
);
create index deliveries_by_time on deliveries (carrier, next_at, since);

create table held (mail text collate "C" primary key);

create table mailbox_mails (
  sequence bigint generated always as identity,
  mailbox text collate "C" not null,
  mail text collate "C" not null,
  folder text not null,
  address text not null,
  delivered_at bigint not null,
  content bytea not null,
  primary key (mailbox, mail)
);
alter table mailbox_mails alter column content set storage external;

-- Whether work can be claimed: nobody has claimed it, or a platform that is gone, or this one and has lost the claim.
create function is_claimable(by_ text, claim_ bigint, me text, mine bigint[]) returns boolean language sql stable as $$
  select by_ is null or (by_ = me and claim_ <> all(mine)) or not exists
    (select from platforms where platforms.id = by_ and alive_until > floor(extract(epoch from now()) * 1000))
$$;
`
