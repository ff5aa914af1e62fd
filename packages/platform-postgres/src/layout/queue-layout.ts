import { changeFunctions } from './queue/change-functions.ts'
import { messageFunctions } from './queue/message-functions.ts'
import { moveFunctions } from './queue/move-functions.ts'
import { queueTables } from './queue/queue-tables.ts'
import { receiveFunctions } from './queue/receive-functions.ts'

/**
 * The SQL functions that run several statements in one call from a platform. A statement of a function sees everything
 * that was committed before the statement, not only before the call. Therefore a function first locks the FIFO groups
 * that it works on, and then reads their messages.
 *
 * `given` is the time that a test sets. If it is null, the functions use the database clock, and never the clock of a
 * platform.
 */
const queueFunctions = [messageFunctions, receiveFunctions, changeFunctions, moveFunctions].join('')

export const queueLayout = queueTables + queueFunctions

/**
 * Adds the turns of messages in standard queues, and replaces the functions. `visible_at` is 0 for a message that waits
 * for a receiver, `turn_at` orders those messages, and `nth` numbers the messages of a group.
 */
export const turnLayout = `
alter table messages add column turn_at bigint not null default 0, add column nth bigint not null default 0;
update messages set turn_at = sent_at;
drop index messages_by_visibility;
create index messages_by_turn on messages (queue, visible_at, turn_at, id);
create index messages_by_group on messages (queue, group_id, nth, turn_at)
  where group_id is not null and fifo_group is null and receives = 0;
drop function if exists send_in_order(integer, bigint, bigint, bigint, text[], text[], text[], text[], text[], text[], text[],
  text[]);
${queueFunctions}`
