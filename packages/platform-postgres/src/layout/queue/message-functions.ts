import { turnInterval } from '@signalbox/platform-queue/store'

/** The SQL functions that several others share: changes of groups and messages. */
export const messageFunctions = `
create or replace function received_of(dead boolean, m messages) returns received language sql immutable as
$$ select row(dead, m.id, m.receipt, m.message_id, m.body, m.attributes, m.received_before + m.receives, m.sent_at,
     m.first_received_at, m.sender, m.trace_header, m.group_id, m.deduplication_id, m.dead_letter_source)::received $$;

-- Updates a locked group after a change of its messages, and puts it behind the groups that are ready.
create or replace function refresh_group(q integer, g text, t bigint) returns void language plpgsql as $$
declare head bigint;
begin
  select visible_at into head from messages where queue = q and fifo_group = g order by id limit 1;
  if not found then
    delete from groups where queue = q and fifo_group = g;
  else
    update groups set ready_at = greatest(head, t), turn = nextval('turns') where queue = q and fifo_group = g;
  end if;
end $$;

-- Adds messages to the ends of groups: locks the groups, and adds those that are missing.
create or replace function extend_groups(q integer, names text[], visible bigint) returns void language sql as $$
  with turned as materialized (
    select name, nextval('turns') as turn
    from (select name, min(at) as first from unnest(names) with ordinality as n(name, at) group by name order by first) as f
  )
  insert into groups (queue, fifo_group, ready_at, turn)
  select q, name, visible, turn from turned order by name collate "C"
  on conflict (queue, fifo_group) do update set turn = groups.turn where false
$$;

create or replace function drop_expired(q integer, t bigint, retention bigint) returns void language plpgsql as $$
declare g text; expired text[];
begin
  if not exists (select from messages where queue = q and sent_at <= t - retention) then return; end if;
  select array_agg(distinct fifo_group) into expired
  from messages where queue = q and sent_at <= t - retention and fifo_group is not null;
  perform from groups where queue = q and fifo_group = any(expired) order by fifo_group for update;
  delete from messages where queue = q and sent_at <= t - retention;
  foreach g in array coalesce(expired, '{}') loop perform refresh_group(q, g, t); end loop;
end $$;

-- The number of a new message in its group of a standard queue: one more than the last that was not received yet. A volatile
-- function also sees the rows that its statement has already inserted, such as earlier messages of a batch.
create or replace function number_of(q integer, g text) returns bigint language plpgsql volatile as $$
begin
  return case when g is null then 0 else coalesce((select max(nth) + 1 from messages
    where queue = q and group_id = g and fifo_group is null and receives = 0), 0) end;
end $$;

-- The turn of a new message of a standard queue: the time when it is visible, and a fixed interval more for each message of
-- its group that was not received yet, but not before the turns of these.
create or replace function turn_of(q integer, g text, visible bigint) returns bigint language plpgsql volatile as $$
declare
  first bigint;
  last record;
begin
  if g is null then return visible; end if;
  select nth, turn_at into last from messages
    where queue = q and group_id = g and fifo_group is null and receives = 0 order by nth desc limit 1;
  if not found then return visible; end if;
  first := (select min(nth) from messages where queue = q and group_id = g and fifo_group is null and receives = 0);
  return greatest(visible + (last.nth - first + 1) * ${turnInterval}, last.turn_at);
end $$;

-- Lets messages of a standard queue wait for a receiver again when the time for which they were hidden has passed. Not too
-- many at once, because other requests have to wait.
create or replace function release(q integer, t bigint, most integer) returns void language plpgsql as $$
begin
  update messages set visible_at = 0 where id in (select id from messages
    where queue = q and visible_at > 0 and visible_at <= t order by visible_at limit greatest(most, 1000)
    for update skip locked);
end $$;

-- Moves a message to another queue as a new row at its end.
create or replace function move_message(m messages, target integer, t bigint, sent bigint, before integer, first bigint, source text)
returns void language plpgsql as $$
begin
  if m.fifo_group is not null then perform extend_groups(target, array[m.fifo_group], t); end if;
  insert into messages (queue, visible_at, turn_at, nth, sent_at, received_before, first_received_at, fifo_group, group_id,
    deduplication_id, message_id, sender, trace_header, dead_letter_source, attributes, body)
  values (target, t, case when m.fifo_group is null then turn_of(target, m.group_id, t) else t end,
    case when m.fifo_group is null then number_of(target, m.group_id) else 0 end, sent, before, first, m.fifo_group, m.group_id, m.deduplication_id, m.message_id, m.sender,
    m.trace_header, source, m.attributes, m.body);
  delete from messages where id = m.id;
end $$;
`
