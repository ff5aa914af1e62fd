/**
 * The token buckets of failed authentications and of the limits of identities, by digests of their names. `rate` is the
 * number of tokens that return in a millisecond. Negative `tokens` are owed. A bucket is not needed after `full_at`.
 * Times are milliseconds since the epoch.
 */
export const bucketLayout = `
create table token_buckets (
  key text primary key,
  amount double precision not null,
  rate double precision not null,
  tokens double precision not null,
  changed_at bigint not null,
  full_at double precision not null
);
create index token_buckets_by_end on token_buckets (full_at);
`
