import type { DatabaseSync } from 'node:sqlite'
import { type freeSpaceOf, layoutOf, prepareLatestTime, rollBack } from '@signalbox/platform-runtime/storage'
import { localWorkQueue, workLayout } from '@signalbox/platform-runtime/work'
import type { EventQueue } from './event-store.ts'
import { EventStoreFullError } from './event-store-full-error.ts'

const version = 2

/** Moves the events of layout 1, which had a table of their own. */
const secondLayout = `
insert into work (queue, key, owner, data, put_at, due_at)
select function, id, '', json_object('payload', payload, 'clientContext', client_context, 'attempts', attempts,
  'refusals', refusals, 'failure', json(failure)), accepted_at, iif(is_taken, accepted_at, due_at)
from events order by number;
drop table events;
`

/** Keeps events in a SQLite database, on disk or in memory. */
export function localEvents(database: DatabaseSync, now: number, measure?: typeof freeSpaceOf): EventQueue {
  const whenFull = (options?: ErrorOptions) => new EventStoreFullError('The disk is nearly full.', options)
  return localWorkQueue(database, { what: 'The events', layOut, whenFull }, now, measure)
}

/** Prepares a database for events. */
export function layOut(database: DatabaseSync): void {
  database.exec('pragma busy_timeout = 5000; pragma auto_vacuum = incremental')
  const found = layoutOf(database, 'The events', version)
  database.exec('pragma journal_mode = wal')
  if (found === version) return
  database.exec('begin immediate')
  try {
    database.exec(`${workLayout} ${found === 1 ? secondLayout : ''} pragma user_version = ${version}`)
    prepareLatestTime(database)
    database.exec('commit')
  } catch (error) {
    rollBack(database)
    throw error
  }
}
