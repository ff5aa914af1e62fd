import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import {
  correctColumns,
  damageReporter,
  durability,
  freeSpaceOf,
  groupCommit,
  latestTime,
  transactions,
} from '@signalbox/platform-runtime/storage'
import { workTable } from '@signalbox/platform-runtime/work'
import { type Execution, type HistoryEvent, hasEnded, hasFailed, type Operation } from '../execution.ts'
import { ExecutionChange, type NewRows, newExecution } from '../execution-change.ts'
import type {
  Changed,
  ChangeResult,
  ExecutionStore,
  HistoryPage,
  ListedExecution,
} from '../execution-store.ts'
import { ExecutionStoreFullError } from '../execution-store-full-error.ts'
import { executionTimes, layOut } from './layout.ts'

interface Row {
  readonly number: number
  readonly data: string
}

/** Keeps executions in a SQLite database of its own, on disk or in memory. */
export function localExecutions(database: DatabaseSync, now: number, measure = freeSpaceOf): ExecutionStore {
  const damage = damageReporter(
    'The executions',
    'Restore a copy of the file, or move it away to start without them.',
  )
  return damage.open(database, () => {
    layOut(database)
    return opened(database, now, measure)
  })
}

function opened(database: DatabaseSync, start: number, measure: typeof freeSpaceOf): ExecutionStore {
  const onDisk = durability(database)
  const space = measure(database)
  const whenFull = (options?: ErrorOptions) =>
    new ExecutionStoreFullError('The disk is nearly full.', options)
  const write = transactions(database, whenFull, space)
  const share = groupCommit(write, onDisk)
  const latest = latestTime(database)
  latest.correct(start, correction(database))
  const table = workTable(database, write)
  const rows = executionRows(database)

  const inTransaction = <T>(now: number, work: () => T, bytes?: number): Promise<T> =>
    share(
      () => {
        latest.write(now)
        return work()
      },
      bytes === undefined ? 'essential' : { bytes },
    )

  const insert = (added: NewRows, now: number): void => {
    rows.insert(added)
    for (const { work, dueAt } of added.work) table.putOrHasten(work, now, dueAt)
  }

  return {
    start: (wanted, now, repeatsFailed = false) =>
      inTransaction(
        now,
        () => {
          const at = Math.floor(now)
          const named = rows.named(wanted.functionName, wanted.name)
          if (named !== undefined && !(repeatsFailed && hasFailed(named))) return named
          const attempt = named && (named.attempt ?? 1)
          if (named !== undefined) rows.rename(named, attempt!)
          const added = newExecution({ ...wanted, ...(attempt && { attempt: attempt + 1 }) }, at)
          insert(added, at)
          return added.executions[0]!
        },
        wanted.input.length,
      ),

    read: async id => rows.read(id),
    running: async ids => rows.running(ids),

    async change(id, { operations = [], claim, page }, work, now) {
      const at = Math.floor(now)
      let done: Changed<never> | undefined
      let ending: ChangeResult<never>['claim']
      await inTransaction(
        now,
        () => {
          done = undefined
          ending = undefined
          if (claim !== undefined && !table.holds(claim)) return
          const data = rows.data(id)
          if (data === undefined) return
          const draft = new ExecutionChange({ now: at, data, ...rows.affected(id, operations, at) })
          const { execution } = draft
          const { result, since, ...rest } = work(draft)
          ending = rest.claim
          const changed = draft.data()
          if (changed !== undefined) {
            insert(draft.rows(ending === 'wait'), at)
            rows.write(draft, changed)
          }
          if (ending === 'wait') table.retry(claim!, '', draft.dueAt())
          else if (ending === 'finish') table.finish(claim!)
          const made = since === undefined ? [] : draft.changedSince(since)
          const found =
            made === undefined ? rows.changed(id, since!, page) : { operations: made, hasMore: false }
          done = { result: result as never, execution, ...found }
        },
        claim === undefined ? 0 : undefined,
      )
      if (claim !== undefined && ending !== undefined && ending !== 'keep') table.release(claim)
      return done
    },

    operations: async (id, page) => rows.operations(id, page),
    operation: async (id, operation) => rows.operation(id, operation),
    history: async (id, page) => rows.history(id, page),
    list: async query => rows.list(query),

    async forget(id, claim) {
      await share(() => {
        if (rows.isOver(id) && table.finish(claim)) rows.remove(id)
      }, 'essential')
      table.release(claim)
      space.returnPages()
    },

    claim: async (queue, now, limit) => table.claim(queue, now, limit),
    giveBack: async (work, dueAt) => table.release(work, dueAt),
    async unclaim(work) {
      await share(() => table.uncount(work), 'essential')
      table.release(work)
    },
    async finish(work, now) {
      await inTransaction(now, () => table.finish(work))
      table.release(work)
    },
    counts: async () => rows.counts(),
    watch: () => () => {},
    async clear() {
      await share(
        () =>
          void database.exec(
            'delete from work; delete from executions; delete from operations; delete from history',
          ),
        'essential',
      )
      space.returnPages()
    },
    close: async () => database.close(),
  }
}

/** Returns the correction of the times of executions, which are in columns and in the data of rows. */
function correction(database: DatabaseSync) {
  const columns = correctColumns(database, { past: {}, due: executionTimes })
  const move = (...paths: string[]) =>
    `json_replace(data, ${paths.map(path => `'${path}', max(0, json_extract(data, '${path}') - ?)`).join(', ')})`
  const operations = database.prepare(
    `update operations set data = ${move('$.dueAt', '$.callback.endsAt')} where due_at is not null`,
  )
  const executions = database.prepare(
    `update executions set data = ${move('$.startedAt', '$.retryAt', '$.endedAt')}`,
  )
  return (ahead: number, now: number): void => {
    columns(ahead, now)
    operations.run(ahead, ahead)
    executions.run(ahead, ahead, ahead)
  }
}

/** Reads the executions in a database that another process may use. */
export function executionReader(database: DatabaseSync): Pick<ExecutionStore, 'read' | 'list' | 'history'> {
  const rows = executionRows(database)
  return {
    read: async id => rows.read(id),
    list: async query => rows.list(query),
    history: async (id, page) => rows.history(id, page),
  }
}

/** The rows of executions. What changes them is called in a transaction of the caller. */
function executionRows(database: DatabaseSync) {
  const insert = database.prepare(
    'insert into executions (id, function, name, status, started_at, data) values (?, ?, ?, ?, ?, ?)',
  )
  const update = database.prepare('update executions set status = ?, ended_at = ?, data = ? where id = ?')
  const read = database.prepare('select data from executions where id = ?')
  const running = database.prepare(
    `select id from executions where id in (select value from json_each(?)) and status = 'RUNNING'`,
  )
  const named = database.prepare('select data from executions where function = ? and name = ?')
  const rename = database.prepare('update executions set name = ?, data = ? where id = ?')
  const putOperation = database.prepare(
    `insert into operations (execution, id, number, parent, changed, due_at, data) values (?, ?, ?, ?, ?, ?, ?)
     on conflict (execution, id) do update set changed = excluded.changed, due_at = excluded.due_at, data = excluded.data`,
  )
  const one = database.prepare('select data from operations where execution = ? and id = ?')
  const due = database.prepare('select data from operations where execution = ? and due_at <= ?')
  const later = database.prepare(
    'select id, due_at as at from operations where execution = ? and due_at > ? order by due_at',
  )
  const changed = database.prepare(
    'select number, data from operations where execution = ? and changed > ? and (not hidden or ?) order by number',
  )
  const after = database.prepare(
    'select number, data from operations where execution = ? and number > ? and not hidden order by number limit ?',
  )
  const hide = database.prepare(
    `with recursive inner_one (execution, id) as (
       select execution, id from operations where execution = ? and parent = ?
       union select o.execution, o.id from inner_one i join operations o on o.execution = i.execution and o.parent = i.id
     ) update operations set hidden = 1 where (execution, id) in (select execution, id from inner_one)`,
  )
  const endDue = database.prepare(
    'update operations set due_at = null where execution = ? and due_at is not null',
  )
  const putEvent = database.prepare('insert into history (execution, number, data) values (?, ?, ?)')
  const history = database.prepare(
    'select data from history where execution = ? and number > ? order by number limit ?',
  )
  const newest = database.prepare(
    'select data from history where execution = ? and number < ? order by number desc limit ?',
  )
  const over = database.prepare(`select 1 from executions where id = ? and status <> 'RUNNING'`)
  const removals = [
    'delete from executions where id = ?',
    'delete from operations where execution = ?',
    'delete from history where execution = ?',
  ].map(text => database.prepare(text))

  const counted = database.prepare(
    `select queue, count(*) as count from work
     where key not in (select id from executions where status <> 'RUNNING') group by queue`,
  )

  const parsed = <T>(row: unknown): T | undefined =>
    row === undefined ? undefined : (JSON.parse((row as Row).data) as T)

  /** Reads rows until they are too many or too large together. */
  const paged = <T>(found: Iterable<unknown>, bytes: number, limit = Number.POSITIVE_INFINITY) => {
    const page: T[] = []
    let size = 0
    for (const row of found as Iterable<Row>) {
      size += Buffer.byteLength(row.data)
      if (page.length === limit || (size > bytes && page.length > 0)) return { page, hasMore: true }
      page.push(JSON.parse(row.data) as T)
    }
    return { page, hasMore: false }
  }

  return {
    insert({ executions, operations, events }: NewRows): void {
      for (const each of executions) {
        const { id, functionName, name, status, startedAt } = each
        insert.run(id, functionName, name, status, startedAt, JSON.stringify(each))
      }
      for (const { execution, operation, dueAt = null } of operations) {
        const { id, number, parentId = null, changed: at } = operation
        putOperation.run(execution, id, number, parentId, at, dueAt, JSON.stringify(operation))
      }
      for (const { execution, event } of events) putEvent.run(execution, event.EventId, JSON.stringify(event))
    },
    /** Returns an execution as a JSON string. */
    data: (id: string) => (read.get(id) as { readonly data: string } | undefined)?.data,
    read: (id: string) => parsed<Execution>(read.get(id)),
    running: (ids: readonly string[]): ReadonlySet<string> =>
      new Set(running.all(JSON.stringify(ids)).map(({ id }) => String(id))),
    named: (functionName: string, name: string) => parsed<Execution>(named.get(functionName, name)),
    /** Gives an execution the first free name with a number. */
    rename(execution: Execution, number: number): void {
      const { id, functionName } = execution
      let name = `${execution.name}-${number}`
      while (named.get(functionName, name) !== undefined) name = `${execution.name}-${++number}`
      rename.run(name, JSON.stringify({ ...execution, name }), id)
    },

    /** Returns the operations with these ids, those that are due, and when the first of the others is due. */
    affected(id: string, operations: readonly string[], now: number) {
      const named = new Set(operations)
      const byId = [...named].flatMap(each => parsed<Operation>(one.get(id, each)) ?? [])
      let othersDueAt: number | undefined
      for (const other of later.iterate(id, now) as Iterable<unknown>) {
        const { id: name, at } = other as { readonly id: string; readonly at: number }
        if (named.has(name)) continue
        othersDueAt = at
        break
      }
      return {
        operations: [...byId, ...due.all(id, now).map(row => parsed<Operation>(row)!)],
        othersDueAt,
      }
    },

    /** Writes what has changed of an execution, but for the new rows. */
    write({ execution, hidden }: ExecutionChange, data: string): void {
      update.run(execution.status, execution.endedAt ?? null, data, execution.id)
      for (const each of hidden) hide.run(execution.id, each)
      if (hasEnded(execution)) endDue.run(execution.id)
    },

    /** Returns the operations that were changed later. All of them are for a new invocation, which needs no hidden ones. */
    changed(id: string, since: number, bytes = Number.POSITIVE_INFINITY) {
      const { page, hasMore } = paged<Operation>(changed.iterate(id, since, since < 0 ? 0 : 1), bytes)
      return { operations: page, hasMore }
    },
    operations(id: string, { after: number, limit, bytes }: Parameters<ExecutionStore['operations']>[1]) {
      const { page, hasMore } = paged<Operation>(after.iterate(id, number, limit + 1), bytes, limit)
      return { operations: page, hasMore }
    },
    operation: (id: string, operation: string) => parsed<Operation>(one.get(id, operation)),
    history(id: string, { after: number, limit, bytes, newestFirst }: HistoryPage) {
      const found = newestFirst
        ? newest.iterate(id, number ?? Number.MAX_SAFE_INTEGER, limit + 1)
        : history.iterate(id, number ?? 0, limit + 1)
      const { page, hasMore } = paged<HistoryEvent>(found, bytes, limit)
      return { events: page, hasMore }
    },

    list({
      functionName,
      name,
      statuses,
      startedAfter,
      startedBefore,
      newestFirst,
      after,
      limit,
    }: Parameters<ExecutionStore['list']>[0]) {
      const conditions: [string, SQLInputValue][] = [['function = ?', functionName]]
      if (name !== undefined) conditions.push(['name = ?', name])
      if (statuses !== undefined)
        conditions.push(['status in (select value from json_each(?))', JSON.stringify(statuses)])
      if (startedAfter !== undefined) conditions.push(['started_at > ?', startedAfter])
      if (startedBefore !== undefined) conditions.push(['started_at < ?', startedBefore])
      if (after !== undefined) conditions.push([newestFirst ? 'number < ?' : 'number > ?', after])
      const found = database
        .prepare(
          `select number, id, function as functionName, name, status, started_at as startedAt, ended_at as endedAt
           from executions where ${conditions.map(([text]) => text).join(' and ')}
           order by number ${newestFirst ? 'desc' : 'asc'} limit ?`,
        )
        .all(...conditions.map(([, value]) => value), limit) as unknown as (ListedExecution & {
        readonly endedAt: number | null
      })[]
      return found.map(({ endedAt, ...each }) => ({ ...each, ...(endedAt !== null && { endedAt }) }))
    },

    counts: (): ReadonlyMap<string, number> =>
      new Map(counted.all().map(({ queue, count }) => [String(queue), Number(count)])),

    isOver: (id: string): boolean => over.get(id) !== undefined,
    remove(id: string): void {
      for (const each of removals) each.run(id)
    },
  }
}
