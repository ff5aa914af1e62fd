import { changeFunctions } from './queue/change-functions.ts'
import { messageFunctions } from './queue/message-functions.ts'
import { moveFunctions } from './queue/move-functions.ts'
import { queueTables } from './queue/queue-tables.ts'
import { receiveFunctions } from './queue/receive-functions.ts'

/**
 * The queue tables, and the SQL functions that run several statements in one call from a platform. A statement of a
 * function sees everything that was committed before the statement, not only before the call. Therefore a function
 * first locks the FIFO groups that it works on, and then reads their messages.
 *
 * `given` is the time that a test sets. If it is null, the functions use the database clock, and never the clock of a
 * platform.
 */
export const queueLayout = [
  queueTables,
  messageFunctions,
  receiveFunctions,
  changeFunctions,
  moveFunctions,
].join('')
