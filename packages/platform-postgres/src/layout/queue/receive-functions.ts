/** The SQL functions that receive from standard queues and from FIFO queues. */
export const receiveFunctions = `
-- Receives from a standard queue. Messages that were received too often move to the target queue and are returned as dead.
-- An earlier part of the same receive has seen messages, and used bytes. A first message of any size fits.
create function receive_any(q integer, given bigint, retention bigint, most integer, bytes bigint, hide bigint,
  nonce text, source text, target integer, max_receives integer, seen bigint[], used bigint)
returns setof received language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
declare t bigint := time_of(given);
begin
  perform drop_expired(q, t, retention);
  return query
  with picked as materialized (
    select m.id, m.visible_at, target is not null and m.receives >= max_receives as dead,
      octet_length(m.body) + coalesce(octet_length(m.attributes), 0) as size
    from messages m where m.queue = q and m.visible_at <= t and m.id <> all(seen)
    order by m.visible_at, m.id limit most for update skip locked
  ), summed as (
    select p.*, sum(case when dead then 0 else size end) over (order by visible_at, picked_id) as total
    from (select id as picked_id, visible_at, dead, size from picked) p
  ), fitting as (
    select picked_id, visible_at as was, dead from summed
    where dead or (used = 0 and total = size) or used + total <= bytes
  ), gone as (
    delete from messages m using fitting f where m.id = f.picked_id and f.dead returning m.*
  ), moved as (
    insert into messages (queue, visible_at, sent_at, received_before, first_received_at, group_id, deduplication_id,
      message_id, sender, trace_header, dead_letter_source, attributes, body)
    select target, t, sent_at, received_before + receives, first_received_at, group_id, deduplication_id, message_id,
      sender, trace_header, source, attributes, body
    from gone order by visible_at, id
  ), taken as (
    update messages m set visible_at = t + hide, receives = m.receives + 1, receipt = nonce, received_at = t,
      first_received_at = coalesce(m.first_received_at, t)
    from fitting f where m.id = f.picked_id and not f.dead
    returning f.was, m.id as taken_id, received_of(false, m) as each
  )
  select (r.each).* from (
    select was, taken_id, each from taken
    union all select visible_at, id, received_of(true, gone) from gone
  ) r order by r.was, r.taken_id;
end $$;

-- Repeats a receive with an attempt id, or receives from a FIFO queue: of each ready group, in turn, as many as fit.
create function receive_in_order(q integer, given bigint, retention bigint, most integer, bytes bigint, hide bigint,
  nonce text, source text, target integer, max_receives integer, attempt_id text, attempt_time bigint)
returns setof received language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
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
