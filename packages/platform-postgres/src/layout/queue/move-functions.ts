/** The SQL functions for message move tasks, which move messages out of a dead-letter queue. */
export const moveFunctions = `
-- The messages that a task may move: visible, not newer than the task, with an existing target, and not of a FIFO
-- group that has a message in flight.
create or replace function movable(q integer, destination_ text, last bigint, t bigint) returns setof messages
language sql stable as $$
  select m.* from messages m
  where m.queue = q and m.visible_at <= t and m.id <= last
    and (destination_ is not null or m.dead_letter_source in (select name from queues))
    and (m.fifo_group is null or not exists (select from messages h where h.queue = q and h.fifo_group = m.fifo_group
      and h.visible_at > t and h.receives > 0))
$$;

-- Moves the next messages of a task, and returns whether it goes on, with the queues that received messages.
create or replace function step_move(task_ text, given bigint, holder_ text, lease bigint, most integer)
returns table (running boolean, moved_to text[]) language plpgsql as $$
declare
  t bigint := time_of(given);
  task moves;
  m messages;
  found_any boolean;
  is_fifo boolean;
  next_ids bigint[];
  target queues;
  touched text[] := '{}';
  count_ integer := 0;
  g text;
begin
  running := false;
  moved_to := '{}';
  select * into task from moves where moves.task = task_ for update;
  if not found or task.status <> 'RUNNING' or (task.holder <> holder_ and task.leased_until > t) then
    return next;
    return;
  end if;
  if task.destination is not null and not exists (select from queues where name = task.destination) then
    update moves set status = 'FAILED', failure = 'QUEUE_NOT_FOUND' where moves.task = task_;
    return next;
    return;
  end if;
  is_fifo := exists (select from queues where id = task.source and name like '%.fifo');
  if is_fifo then
    perform from groups where queue = task.source and fifo_group in
      (select fifo_group from movable(task.source, task.destination, task.last_message, t)
        order by fifo_group, id limit most) order by fifo_group for update;
    next_ids := array(select id from movable(task.source, task.destination, task.last_message, t)
      order by fifo_group, id limit most);
  else
    perform release(task.source, t, most);
    next_ids := array(select id from movable(task.source, task.destination, task.last_message, t)
      order by visible_at, turn_at, id limit most);
  end if;
  for m in select e.* from unnest(next_ids) with ordinality as n(id, at) join messages e on e.id = n.id
    order by n.at for update of e skip locked
  loop
    select * into target from queues where name = coalesce(task.destination, m.dead_letter_source);
    perform move_message(m, target.id, t, t, 0, null, null);
    if m.fifo_group is not null and m.fifo_group <> all(touched) then touched := touched || m.fifo_group; end if;
    if target.name <> all(moved_to) then moved_to := moved_to || target.name::text; end if;
    count_ := count_ + 1;
  end loop;
  foreach g in array touched loop perform refresh_group(task.source, g, t); end loop;
  found_any := exists (select from movable(task.source, task.destination, task.last_message, t));
  running := found_any;
  update moves set moved = moved + count_, status = case when found_any then 'RUNNING' else 'COMPLETED' end,
    holder = holder_, leased_until = t + lease where moves.task = task_;
  return next;
end $$;
`
