/** The SQL functions that receive from standard queues and from FIFO queues. */
export const receiveFunctions = `
-- Receives from a standard queue. Messages that were received too often move to the target queue and are returned as dead.
-- An earlier part of the same receive has seen messages, and used bytes. A first message of any size fits.
create or replace function receive_any(q integer, given bigint, retention bigint, most integer, bytes bigint, hide bigint,
  nonce text, source text, target integer, max_receives integer, seen bigint[], used bigint)
returns setof received language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
declare
  t bigint := time_of(given);
  taken_ids bigint[] := '{}';
  dead_ids bigint[] := '{}';
  next record;
begin
  perform drop_expired(q, t, retention);
  perform release(q, t, most);
  for next in
    select m.id, target is not null and m.receives >= max_receives as dead,
      octet_length(m.body) + coalesce(octet_length(m.attributes), 0) as size
    from messages m where m.queue = q and m.visible_at = 0 and m.id <> all(seen)
    order by m.turn_at, m.id limit most for update skip locked
  loop
    if next.dead then
      dead_ids := dead_ids || next.id;
    else
      used := used + next.size;
      exit when used > bytes and used > next.size;
      taken_ids := taken_ids || next.id;
    end if;
  end loop;
  if cardinality(dead_ids) > 0 then
    return query
    with gone as (
      delete from messages m using unnest(dead_ids) with ordinality as n(dead_id, at) where m.id = n.dead_id
      returning n.at, m as message
    ), moved as (
      insert into messages (queue, visible_at, turn_at, nth, sent_at, received_before, first_received_at, group_id,
        deduplication_id, message_id, sender, trace_header, dead_letter_source, attributes, body)
      select target, t, turn_of(target, (message).group_id, t), number_of(target, (message).group_id),
        (message).sent_at, (message).received_before + (message).receives, (message).first_received_at,
        (message).group_id, (message).deduplication_id, (message).message_id, (message).sender, (message).trace_header,
        source, (message).attributes, (message).body
      from gone order by at
    )
    select (received_of(true, message)).* from gone order by at;
  end if;
  return query
  with taken as (
    update messages m set visible_at = t + hide, receives = m.receives + 1, receipt = nonce, received_at = t,
      first_received_at = coalesce(m.first_received_at, t)
    from unnest(taken_ids) with ordinality as n(taken_id, at) where m.id = n.taken_id
    returning n.at, m.id, m.message_id, m.body, m.attributes, m.received_before + m.receives as receive_count, m.sent_at,
      m.first_received_at, m.sender, m.trace_header, m.group_id, m.deduplication_id, m.dead_letter_source
  )
  select false, k.id, nonce, k.message_id, k.body, k.attributes, k.receive_count, k.sent_at, k.first_received_at, k.sender,
    k.trace_header, k.group_id, k.deduplication_id, k.dead_letter_source
  from taken k order by k.at;
end $$;

-- Repeats a receive with an attempt id, or receives from a FIFO queue: of each ready group, in turn, as many as fit.
create or replace function receive_in_order(q integer, given bigint, retention bigint, most integer, bytes bigint, hide bigint,
  nonce text, source text, target integer, max_receives integer, attempt_id text, attempt_time bigint)
returns setof received language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
declare
  t bigint := time_of(given);
  earlier receive_attempts;
  g text;
  m messages;
  size bigint;
  used bigint := 0;
  taken bigint[] := '{}';
  done text[] := '{}';
  before integer;
  again boolean;
  moves integer := 1000;
  full_up boolean := false;
begin
  perform drop_expired(q, t, retention);
  if attempt_id is not null then
    select * into earlier from receive_attempts where queue = q and attempt = attempt_id and expires_at > t for update;
    if found and earlier.hidden_until > t then
      perform from groups where queue = q and fifo_group in
        (select fifo_group from messages where queue + 0 = q and id = any(earlier.messages)) order by fifo_group for update;
      if cardinality(earlier.messages) = (select count(*) from messages where queue + 0 = q and id = any(earlier.messages)
          and receipt = earlier.receipt and visible_at = earlier.hidden_until) then
        update messages set visible_at = t + hide where queue + 0 = q and id = any(earlier.messages);
        update receive_attempts set hidden_until = t + hide where queue = q and attempt = attempt_id;
        for g in select fifo_group from messages where queue + 0 = q and id = any(earlier.messages)
          group by fifo_group order by min(array_position(earlier.messages, id))
        loop perform refresh_group(q, g, t); end loop;
        return query select (received_of(false, e)).* from messages e where queue + 0 = q and id = any(earlier.messages)
          order by array_position(earlier.messages, id);
        return;
      end if;
    end if;
  end if;
  loop
    again := false;
    for g in select fifo_group from groups where queue = q and ready_at <= t and fifo_group <> all(done)
      order by ready_at, turn limit most - cardinality(taken) for update skip locked
    loop
      done := done || g;
      before := cardinality(taken);
      for m in select * from messages where queue = q and fifo_group = g order by id loop
        exit when m.visible_at > t;
        if target is not null and m.receives >= max_receives then
          perform move_message(m, target, t, m.sent_at, m.received_before + m.receives, m.first_received_at, source);
          return next received_of(true, m);
          moves := moves - 1;
          full_up := moves = 0;
        else
          size := octet_length(m.body) + coalesce(octet_length(m.attributes), 0);
          if cardinality(taken) > 0 and used + size > bytes then
            full_up := true;
          else
            update messages set visible_at = t + hide, receives = receives + 1, receipt = nonce, received_at = t,
              first_received_at = coalesce(first_received_at, t) where id = m.id returning * into m;
            return next received_of(false, m);
            used := used + size;
            taken := taken || m.id;
            full_up := cardinality(taken) = most;
          end if;
        end if;
        exit when full_up;
      end loop;
      perform refresh_group(q, g, t);
      exit when full_up;
      again := again or cardinality(taken) = before;
    end loop;
    -- A group of dead letters gives no message, so other groups are asked.
    exit when full_up or not again;
  end loop;
  if attempt_id is not null and cardinality(taken) > 0 then
    insert into receive_attempts as a (queue, attempt, expires_at, hidden_until, receipt, messages)
    values (q, attempt_id, t + attempt_time, t + hide, nonce, taken)
    on conflict (queue, attempt) do update set expires_at = excluded.expires_at, hidden_until = excluded.hidden_until,
      receipt = excluded.receipt, messages = excluded.messages;
  end if;
end $$;
`
