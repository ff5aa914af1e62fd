/**
 * Definitions that several SQL functions share: the type of a received message, and changes of groups and
 * messages.
 */
export const messageFunctions = `
create type received as (
  dead boolean,
  id bigint,
  receipt text,
  message_id text,
  body text,
  attributes text,
  receive_count integer,
  sent_at bigint,
  first_received_at bigint,
  sender text,
  trace_header text,
  group_id text,
  deduplication_id text,
  dead_letter_source text
);

create function received_of(dead boolean, m messages) returns received language sql immutable as
$$ select row(dead, m.id, m.receipt, m.message_id, m.body, m.attributes, m.received_before + m.receives, m.sent_at,
     m.first_received_at, m.sender, m.trace_header, m.group_id, m.deduplication_id, m.dead_letter_source)::received $$;

-- Updates a locked group after a change of its messages, and puts it behind the groups that are ready.
create function refresh_group(q integer, g text, t bigint) returns void language plpgsql as $$
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
create function extend_groups(q integer, names text[], visible bigint) returns void language sql as $$
  with turned as materialized (
    select name, nextval('turns') as turn
    from (select name, min(at) as first from unnest(names) with ordinality as n(name, at) group by name order by first) as f
  )
  insert into groups (queue, fifo_group, ready_at, turn)
  select q, name, visible, turn from turned order by name collate "C"
  on conflict (queue, fifo_group) do update set turn = groups.turn where false
$$;

create function drop_expired(q integer, t bigint, retention bigint) returns void language plpgsql as $$
declare g text; expired text[];
begin
  if not exists (select from messages where queue = q and sent_at <= t - retention) then return; end if;
  select array_agg(distinct fifo_group) into expired
  from messages where queue = q and sent_at <= t - retention and fifo_group is not null;
  perform from groups where queue = q and fifo_group = any(expired) order by fifo_group for update;
  delete from messages where queue = q and sent_at <= t - retention;
  foreach g in array coalesce(expired, '{}') loop perform refresh_group(q, g, t); end loop;
end $$;

-- Moves a message to another queue as a new row at its end.
create function move_message(m messages, target integer, t bigint, sent bigint, before integer, first bigint, source text)
returns void language plpgsql as $$
begin
  if m.fifo_group is not null then perform extend_groups(target, array[m.fifo_group], t); end if;
  insert into messages (queue, visible_at, sent_at, received_before, first_received_at, fifo_group, group_id,
    deduplication_id, message_id, sender, trace_header, dead_letter_source, attributes, body)
  values (target, t, sent, before, first, m.fifo_group, m.group_id, m.deduplication_id, m.message_id, m.sender,
    m.trace_header, source, m.attributes, m.body);
  delete from messages where id = m.id;
end $$;
`
