/**
 * The SQL functions that send to and delete from FIFO queues, and that change the visibility of messages in all queues.
 */
export const changeFunctions = `
-- Sends to a FIFO queue. A duplicate returns the stored message. The groups are locked before messages get their ids,
-- so that the order of ids is the order of commits. A message may also be a duplicate by the token that it would have
-- with the other DeduplicationScope, which an earlier message was sent with.
create or replace function send_in_order(q integer, given bigint, delay bigint, interval_ bigint, groups_ text[],
  tokens text[], other_tokens text[], deduplication_ids text[], message_ids text[], senders text[], traces text[], attributes_ text[], bodies text[])
returns table (id bigint, message_id text) language plpgsql as $$
declare
  t bigint := time_of(given);
  new_id bigint;
  known deduplications;
  duplicates boolean := false;
begin
  if not exists (select from queues where queues.id = q) then return; end if;
  perform extend_groups(q, groups_, t + delay);
  for i in 1 .. cardinality(bodies) loop
    select * into known from deduplications d
    where d.queue = q and d.token in (tokens[i], other_tokens[i]) and d.expires_at > t order by d.message desc limit 1;
    if found then
      duplicates := true;
      id := known.message;
      message_id := known.message_id;
      return next;
      continue;
    end if;
    new_id := nextval(pg_get_serial_sequence('messages', 'id'));
    insert into deduplications as d (queue, token, expires_at, message, message_id)
    values (q, tokens[i], t + interval_, new_id, message_ids[i])
    on conflict (queue, token) do update set expires_at = excluded.expires_at, message = excluded.message,
      message_id = excluded.message_id where d.expires_at <= t;
    if found then
      insert into messages (id, queue, visible_at, sent_at, fifo_group, group_id, deduplication_id, message_id, sender,
        trace_header, attributes, body)
      values (new_id, q, t + delay, t, groups_[i], groups_[i], deduplication_ids[i], message_ids[i], senders[i],
        traces[i], attributes_[i], bodies[i]);
      id := new_id;
      message_id := message_ids[i];
    else
      duplicates := true;
      select d.message, d.message_id into id, message_id from deduplications d where d.queue = q and d.token = tokens[i];
    end if;
    return next;
  end loop;
  -- A duplicate that names another group adds no message to it.
  if duplicates then
    delete from groups where queue = q and fifo_group = any(groups_)
      and not exists (select from messages m where m.queue = q and m.fifo_group = groups.fifo_group);
  end if;
end $$;

-- The sum queue + 0 keeps the planner from an index of all messages of the queue: the ids alone find theirs.
create or replace function lock_groups_of(q integer, ids bigint[]) returns void language plpgsql as $$
begin
  perform from groups where queue = q and fifo_group in
    (select m.fifo_group from messages m where m.id = any(ids) and m.queue + 0 = q) order by fifo_group for update;
end $$;

-- Deletes messages of a FIFO queue that these receipts hold. Returns null or 'expired' for each.
create or replace function delete_in_order(q integer, given bigint, ids bigint[], receipts text[])
returns setof text language plpgsql as $$
declare
  t bigint := time_of(given);
  g text;
  touched text[] := '{}';
  m messages;
begin
  perform lock_groups_of(q, ids);
  for i in 1 .. cardinality(ids) loop
    select * into m from messages where messages.id = ids[i] and queue = q;
    if not found then
      return next null;
    elsif m.receipt is distinct from receipts[i] or m.visible_at <= t then
      return next 'expired';
    else
      delete from messages where messages.id = ids[i];
      if m.fifo_group <> all(touched) then touched := touched || m.fifo_group; end if;
      return next null;
    end if;
  end loop;
  foreach g in array touched loop perform refresh_group(q, g, t); end loop;
end $$;

-- Hides messages from now. Returns for each null, 'unknown', 'idle' or 'long'.
create or replace function change_visibility(q integer, fifo boolean, given bigint, longest bigint, ids bigint[], receipts text[],
  timeouts bigint[])
returns setof text language plpgsql as $$
declare
  t bigint := time_of(given);
  g text;
  touched text[] := '{}';
  m messages;
begin
  if fifo then perform lock_groups_of(q, ids); end if;
  for i in 1 .. cardinality(ids) loop
    select * into m from messages where messages.id = ids[i] and queue = q for update;
    if not found or m.receipt is null or (fifo and m.receipt <> receipts[i]) then
      return next 'unknown';
    elsif fifo and m.visible_at <= t then
      return next 'idle';
    elsif timeouts[i] > 0 and (t - m.received_at) / 1000 * 1000 + timeouts[i] > longest then
      return next 'long';
    else
      update messages set visible_at = t + timeouts[i] where messages.id = ids[i];
      if m.fifo_group is not null and m.fifo_group <> all(touched) then touched := touched || m.fifo_group; end if;
      return next null;
    end if;
  end loop;
  foreach g in array touched loop perform refresh_group(q, g, t); end loop;
end $$;
`
