/**
 * The token buckets for failed authentications and for the limits of identities. Their keys are digests of their names.
 * `rate` is the number of tokens that return per millisecond. `tokens` is negative if more tokens were taken than were
 * available. A bucket is no longer needed after `full_at`. Times are milliseconds since the epoch.
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
