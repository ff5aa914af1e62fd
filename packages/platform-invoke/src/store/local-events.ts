import type { DatabaseSync } from 'node:sqlite'
import {
  type freeSpaceOf,
  layoutOf,
  prepareLatestTime,
  upgradeLayout,
} from '@signalbox/platform-runtime/storage'
import { localWorkQueue, type WorkQueue, workLayout } from '@signalbox/platform-runtime/work'
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
export function localEvents(database: DatabaseSync, now: number, measure?: typeof freeSpaceOf): WorkQueue {
  const whenFull = (options?: ErrorOptions) => new EventStoreFullError('The disk is nearly full.', options)
  return localWorkQueue(database, { what: 'The events', layOut, whenFull }, now, measure)
}

/** Prepares a database for events. */
export function layOut(database: DatabaseSync): void {
  database.exec('pragma busy_timeout = 5000; pragma auto_vacuum = incremental')
  layoutOf(database, 'The events', version)
  database.exec('pragma journal_mode = wal')
  upgradeLayout(database, 'The events', version, from => {
    database.exec(workLayout)
    prepareLatestTime(database)
    if (from === 1) database.exec(secondLayout)
  })
}
