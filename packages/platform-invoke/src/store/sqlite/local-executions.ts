import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import {
  correctColumns,
  damageReporter,
  durability,
  freeSpaceOf,
  groupCommit,
  latestTime,
  transactions,
  wrapFunctions,
} from '@signalbox/platform-runtime/storage'
import { workTable } from '@signalbox/platform-runtime/work'
import {
  dueTime,
  type Execution,
  firstState,
  type HistoryEvent,
  hasEnded,
  hasFailed,
  type NewExecution,
  type Operation,
} from '../execution.ts'
import { ExecutionChange } from '../execution-change.ts'
import {
  type Changed,
  callWork,
  type ExecutionStore,
  executionWork,
  type HistoryPage,
  type ListedExecution,
} from '../execution-store.ts'
import { ExecutionStoreFullError } from '../execution-store-full-error.ts'
import { executionTimes, layOut } from './layout.ts'

interface Row {
  readonly number: number
  readonly data: string
}

/** Keeps executions in a SQLite database of its own, on disk or in memory. */
export function localExecutions(database: DatabaseSync, now: number, measure = freeSpaceOf): ExecutionStore {
  const reported = damageReporter(
    'The executions',
    'Restore a copy of the file, or move it away to start without them.',
  )
  const guarded = <T>(work: () => T): T => reported(database, work)
  return wrapFunctions(
    guarded(() => {
      layOut(database)
      return opened(database, now, measure)
    }),
    guarded,
  )
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

  const inTransaction = async <T>(now: number, work: () => T, bytes?: number): Promise<T> => {
    const result = await share(
      () => {
        latest.write(now)
        return work()
      },
      bytes === undefined ? 'essential' : { bytes },
    )
    latest.written(now)
    return result
  }

  const insert = (wanted: NewExecution, now: number): Execution => {
    const state = firstState(wanted, now)
    rows.insert(state.execution)
    rows.putOperation(wanted.id, state.operation)
    rows.putEvent(wanted.id, state.event)
    table.put(executionWork(wanted), now)
    return state.execution
  }

  return {
    start: (wanted, now, repeatsFailed = false) =>
      inTransaction(
        now,
        () => {
          const named = rows.named(wanted.functionName, wanted.name)
          if (named === undefined) return insert(wanted, Math.floor(now))
          if (!repeatsFailed || !hasFailed(named)) return named
          const { attempt = 1 } = named
          rows.rename(named, attempt)
          return insert({ ...wanted, attempt: attempt + 1 }, Math.floor(now))
        },
        wanted.input.length,
      ),

    read: async id => rows.read(id),
    running: async ids => rows.running(ids),

    async change(id, { operations = [], claim, ending = 'keep', page }, work, now) {
      const at = Math.floor(now)
      let done: Changed<never> | undefined
      await inTransaction(
        now,
        () => {
          done = undefined
          if (claim !== undefined && !table.holds(claim)) return
          const execution = rows.read(id)
          if (execution === undefined) return
          const draft = new ExecutionChange(at, execution, rows.affected(id, operations, at))
          const { result, since } = work(draft)
          rows.write(draft)
          for (const each of draft.started) insert(each, at)
          for (const { functionName, operation } of draft.calls)
            table.put(callWork(id, functionName, operation), at)
          if (ending === 'wait') table.retry(claim!, '', dueTime(execution, rows.nextDue(id)))
          else if (draft.isUrgent) table.putOrHasten(executionWork(execution), at)
          if (ending === 'finish') table.finish(claim!)
          const made = since === undefined ? [] : draft.changedSince(since)
          const changed =
            made === undefined ? rows.changed(id, since!, page) : { operations: made, hasMore: false }
          done = { result: result as never, execution, ...changed }
        },
        claim === undefined ? 0 : undefined,
      )
      if (claim !== undefined && ending !== 'keep') table.release(claim)
      return done
    },

    operations: async (id, page) => rows.operations(id, page),
    operation: async (id, operation) => rows.operation(id, operation),
    history: async (id, page) => rows.history(id, page),
    list: async query => rows.list(query),

    async forget(id, claim) {
      await share(() => {
        if (table.finish(claim)) rows.remove(id)
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
  const nextDue = database.prepare(
    'select min(due_at) as at from operations where execution = ? and due_at is not null',
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

  const writeOperation = (execution: string, operation: Operation): void => {
    const { id, number, parentId = null, changed: at, dueAt = null } = operation
    putOperation.run(execution, id, number, parentId, at, dueAt, JSON.stringify(operation))
  }
  const writeEvent = (execution: string, event: HistoryEvent): void => {
    putEvent.run(execution, event.EventId, JSON.stringify(event))
  }

  return {
    insert(execution: Execution): void {
      const { id, functionName, name, status, startedAt } = execution
      insert.run(id, functionName, name, status, startedAt, JSON.stringify(execution))
    },
    putOperation: writeOperation,
    putEvent: writeEvent,
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

    /** Returns the operations with these ids, and those that are due. */
    affected(id: string, operations: readonly string[], now: number): readonly Operation[] {
      const byId = [...new Set(operations)].flatMap(each => parsed<Operation>(one.get(id, each)) ?? [])
      return [...byId, ...due.all(id, now).map(row => parsed<Operation>(row)!)]
    },

    write({ execution, changed: operations, events, hidden }: ExecutionChange): void {
      update.run(execution.status, execution.endedAt ?? null, JSON.stringify(execution), execution.id)
      for (const each of operations.values()) writeOperation(execution.id, each)
      for (const each of events) writeEvent(execution.id, each)
      for (const each of hidden) hide.run(execution.id, each)
      if (hasEnded(execution)) endDue.run(execution.id)
    },

    nextDue: (id: string) => (nextDue.get(id) as { readonly at: number | null }).at ?? undefined,
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

    remove(id: string): void {
      for (const each of removals) each.run(id)
    },
  }
}
