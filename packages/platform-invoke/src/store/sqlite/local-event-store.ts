import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@signalbox/core'
import {
  damageReporter,
  durability,
  freeSpaceOf,
  groupCommit,
  layoutOf,
  rollBack,
  transactions,
  type Write,
} from '@signalbox/platform-runtime/storage'
import { type EventFailure, type EventStore, longestDelay, type TakenEvent } from '../event-store.ts'
import { EventStoreFullError } from '../event-store-full-error.ts'

const version = 1

const layout = `
create table if not exists events (
  number integer primary key autoincrement,
  id text not null unique,
  function text not null,
  payload text not null,
  client_context text,
  accepted_at integer not null,
  due_at integer not null,
  attempts integer not null default 0,
  refusals integer not null default 0,
  failure text,
  lease integer not null default 0,
  is_taken integer not null default 0
) strict;
create index if not exists events_by_time on events (function, due_at, number);
`

const fromEvents = damageReporter(
  'The events',
  'Restore a copy of the file, or move it away to start without events.',
)

interface Row extends Omit<TakenEvent, 'functionName' | 'clientContext' | 'failure' | 'age'> {
  readonly acceptedAt: number
  readonly function: string
  readonly clientContext: string | null
  readonly failure: string | null
}

/**
 * Keeps events in a SQLite database, on disk or in memory. Only one process uses the database at a time, so events
 * taken by a process that has ended are due at once.
 */
export function localEventStore(database: DatabaseSync, clock: Clock, measure = freeSpaceOf): EventStore {
  const time = () => Math.floor(clock.now())
  const guarded = <T>(work: () => T): T => fromEvents(database, work)
  guarded(() => layOut(database))
  guarded(() => correctTimes(database, time()))
  const onDisk = guarded(() => durability(database))
  const space = measure(database)
  const inTransaction = transactions(
    database,
    options => new EventStoreFullError('The disk is nearly full.', options),
    space,
  )
  const guardedWrite: Write = (work, need) => guarded(() => inTransaction(work, need))
  const write = groupCommit(guardedWrite, onDisk)

  const insert = database.prepare(
    'insert into events (id, function, payload, client_context, accepted_at, due_at) values (?, ?, ?, ?, ?, ?)',
  )
  const takeDue = database.prepare(
    `update events set is_taken = 1, lease = lease + 1, attempts = attempts + (failure is null), due_at = ?
    where number in
      (select number from events where function = ? and due_at <= ? order by due_at, number limit ?)
    returning number, id, function, payload, client_context as clientContext, accepted_at as acceptedAt, attempts,
      refusals, failure, lease`,
  )
  const update = database.prepare(
    `update events set is_taken = 0, attempts = ?, refusals = ?, failure = ?, due_at = ?
    where id = ? and lease = ? and is_taken = 1`,
  )
  const removeTaken = database.prepare('delete from events where id = ? and lease = ? and is_taken = 1')
  const next = database.prepare('select min(due_at) as at from events where function = ?')
  const counted = database.prepare('select function, count(*) as count from events group by function')

  return {
    add: ({ id, functionName, payload, clientContext }) =>
      write(
        () => {
          const now = time()
          insert.run(id, functionName, payload, clientContext ?? null, now, now)
        },
        { bytes: payload.length },
      ),
    async take(functionName, { max, lease }) {
      if (max <= 0) return []
      const now = time()
      const rows = guardedWrite(
        () => takeDue.all(now + lease, functionName, now, max),
        'essential',
      ) as unknown as readonly (Row & {
        readonly number: number
      })[]
      return rows.toSorted((a, b) => a.number - b.number).map(row => eventOf(row, now))
    },
    giveBack: ({ id, lease }, { attempts, refusals, failure, delay }) =>
      write(() => {
        const text = failure === undefined ? null : JSON.stringify(failure)
        return update.run(attempts, refusals, text, time() + delay, id, lease).changes === 1
      }, 'essential'),
    async remove({ id, lease }) {
      const isRemoved = await write(() => removeTaken.run(id, lease).changes === 1, 'essential')
      space.returnPages()
      return isRemoved
    },
    async nextIn(functionName) {
      const { at } = guarded(() => next.get(functionName)) as { readonly at: number | null }
      return at === null ? undefined : Math.max(0, at - time())
    },
    async counts() {
      const rows = guarded(() => counted.all()) as unknown as readonly { function: string; count: number }[]
      return new Map(rows.map(row => [row.function, row.count]))
    },
    async clear() {
      await write(() => void database.exec('delete from events'), 'essential')
      space.returnPages()
    },
    async close() {
      database.close()
    },
  }
}

function eventOf({ function: functionName, clientContext, failure, ...row }: Row, now: number): TakenEvent {
  const { id, payload, acceptedAt, attempts, refusals, lease } = row
  return {
    id,
    functionName,
    payload,
    clientContext: clientContext ?? undefined,
    age: now - acceptedAt,
    attempts,
    refusals,
    failure: failure === null ? undefined : (JSON.parse(failure) as EventFailure),
    lease,
  }
}

/** Prepares a database for events. Events that a stopped platform had taken become due again. */
export function layOut(database: DatabaseSync): void {
  database.exec('pragma busy_timeout = 5000; pragma auto_vacuum = incremental')
  const found = layoutOf(database, 'The events', version)
  database.exec('pragma journal_mode = wal; begin immediate')
  try {
    if (found < version) database.exec(`${layout} pragma user_version = ${version};`)
    database.exec('update events set is_taken = 0, due_at = accepted_at where is_taken = 1; commit')
  } catch (error) {
    rollBack(database)
    throw error
  }
}

/** Makes events due whose times were written while the clock was ahead. They would wait until the clock is there again. */
function correctTimes(database: DatabaseSync, now: number): void {
  database
    .prepare(
      'update events set accepted_at = min(accepted_at, ?), due_at = ? where accepted_at > ? or due_at > ?',
    )
    .run(now, now, now, now + longestDelay)
}
