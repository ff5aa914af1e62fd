import {
  type Execution,
  type ExecutionChange,
  type ExecutionQuery,
  type ExecutionStore,
  firstState,
  type HistoryEvent,
  type HistoryEvents,
  type HistoryPage,
  hasEnded,
  hasFailed,
  type ListedExecution,
  type NewExecution,
  type Operation,
} from '@signalbox/platform-invoke/store'
import type { Query } from '../database.ts'

interface Row {
  readonly number: number
  readonly data: string
}

const parsed = <T>(rows: readonly Row[]): readonly T[] => rows.map(({ data }) => JSON.parse(data) as T)

/** Writes a new execution, unless its function has one with its name. Returns whether it was written. */
export async function insertExecution(run: Query, wanted: NewExecution, now: number): Promise<boolean> {
  const { execution, operation, event } = firstState(wanted, now)
  const { id, functionName, name, status, startedAt } = execution
  const inserted = await run(
    `insert into executions (id, function, name, status, started_at, data) values ($1, $2, $3, $4, $5, $6)
     on conflict (function, name) do nothing returning 1`,
    [id, functionName, name, status, startedAt, JSON.stringify(execution)],
  )
  if (inserted.length === 0) return false
  await run(`with ${written(2, 8)} select`, [id, ...valuesOf([operation], [event])])
  return true
}

/** The statements that write operations and events of the execution $1. Their parameters begin at a number. */
const written = (operations: number, events: number) => `
  o as (
    insert into execution_operations (execution, id, number, parent, changed, due_at, data)
    select $1, * from unnest($${operations}::text[], $${operations + 1}::integer[], $${operations + 2}::text[],
      $${operations + 3}::integer[], $${operations + 4}::bigint[], $${operations + 5}::text[])
    on conflict (execution, id) do update set changed = excluded.changed, due_at = excluded.due_at, data = excluded.data
  ), h as (
    insert into execution_history (execution, number, data)
    select $1, * from unnest($${events}::integer[], $${events + 1}::text[])
  )`

const valuesOf = (operations: readonly Operation[], events: readonly HistoryEvent[]) => [
  operations.map(({ id }) => id),
  operations.map(({ number }) => number),
  operations.map(({ parentId = null }) => parentId),
  operations.map(({ changed }) => changed),
  operations.map(({ dueAt = null }) => dueAt),
  operations.map(each => JSON.stringify(each)),
  events.map(({ EventId }) => EventId),
  events.map(each => JSON.stringify(each)),
]

/** Reads an execution, and locks it for the rest of the transaction. */
export const lockedExecution = async (run: Query, id: string): Promise<Execution | undefined> =>
  parsed<Execution>(await run('select 0 as number, data from executions where id = $1 for update', [id]))[0]

export const readExecution = async (run: Query, id: string): Promise<Execution | undefined> =>
  parsed<Execution>(await run('select 0 as number, data from executions where id = $1', [id]))[0]

export async function runningExecutions(run: Query, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await run<{ readonly id: string }>(
    `select id from executions where id = any($1) and status = 'RUNNING'`,
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}

export const namedExecution = async (
  run: Query,
  { functionName, name }: Pick<NewExecution, 'functionName' | 'name'>,
): Promise<Execution | undefined> =>
  parsed<Execution>(
    await run('select 0 as number, data from executions where function = $1 and name = $2', [
      functionName,
      name,
    ]),
  )[0]

/**
 * Gives the execution that has a name, if it has failed, the first free name with a number.
 * @returns how many executions had the name so far
 */
export async function renameFailed(
  run: Query,
  { functionName, name }: Pick<NewExecution, 'functionName' | 'name'>,
): Promise<number> {
  const [execution] = parsed<Execution>(
    await run('select 0 as number, data from executions where function = $1 and name = $2 for update', [
      functionName,
      name,
    ]),
  )
  if (execution === undefined || !hasFailed(execution)) return 0
  const { attempt = 1 } = execution
  let number = attempt
  while ((await namedExecution(run, { functionName, name: `${name}-${number}` })) !== undefined) number++
  const renamed: Execution = { ...execution, name: `${name}-${number}` }
  await run('update executions set name = $2, data = $3 where id = $1', [
    execution.id,
    renamed.name,
    JSON.stringify(renamed),
  ])
  return attempt
}

/**
 * Returns the time, the operations with these ids, and those that are due.
 * @param at the time to use, or null to use the database clock
 */
export async function affectedOperations(run: Query, id: string, ids: readonly string[], at: number | null) {
  const rows = await run<{ readonly time: number; readonly data: string | null }>(
    `select t as time, data from time_of($3) t
     left join execution_operations on execution = $1 and (id = any($2) or due_at <= t)`,
    [id, ids, at],
  )
  return {
    time: rows[0]!.time,
    operations: rows.flatMap(({ data }) => (data === null ? [] : (JSON.parse(data) as Operation))),
  }
}

/** Writes what has changed of an execution, with one statement in most cases. */
export async function writeChange(run: Query, draft: ExecutionChange): Promise<void> {
  const { execution, changed, events, hidden } = draft
  await run(
    `with e as (update executions set status = $2, ended_at = $3, data = $4 where id = $1), ${written(5, 11)} select`,
    [
      ...[execution.id, execution.status, execution.endedAt ?? null, JSON.stringify(execution)],
      ...valuesOf([...changed.values()], events),
    ],
  )
  for (const each of hidden)
    await run(
      `with recursive inside (id) as (
         select id from execution_operations where execution = $1 and parent = $2
         union select o.id from inside i join execution_operations o on o.execution = $1 and o.parent = i.id
       ) update execution_operations set hidden = true where execution = $1 and id in (select id from inside)`,
      [execution.id, each],
    )
  if (hasEnded(execution))
    await run('update execution_operations set due_at = null where execution = $1 and due_at is not null', [
      execution.id,
    ])
}

export async function nextDue(run: Query, id: string): Promise<number | undefined> {
  const [row] = await run<{ at: number | null }>(
    'select min(due_at) as at from execution_operations where execution = $1 and due_at is not null',
    [id],
  )
  return row?.at ?? undefined
}

/** Returns the first operations that fit into a number of bytes. */
async function paged(
  run: Query,
  condition: string,
  values: readonly unknown[],
  { limit, bytes }: { readonly limit: number; readonly bytes: number },
) {
  const rows = await run<Row>(
    `select number, data from (
       select number, data, sum(size) over (order by number) as size from execution_operations where ${condition}
     ) o where size <= $${values.length + 1} or number = (select min(number) from execution_operations where ${condition})
     order by number limit $${values.length + 2}`,
    [...values, Math.min(bytes, Number.MAX_SAFE_INTEGER), limit],
  )
  const last = rows.at(-1)
  const [more] =
    last === undefined || (bytes === Number.POSITIVE_INFINITY && rows.length < limit)
      ? []
      : await run(
          `select 1 from execution_operations where ${condition} and number > $${values.length + 1} limit 1`,
          [...values, last.number],
        )
  return { operations: parsed<Operation>(rows), hasMore: more !== undefined }
}

/** Returns the operations that were changed later. All of them are for a new invocation, which needs no hidden ones. */
export const changedOperations = (run: Query, id: string, since: number, bytes: number) =>
  paged(run, `execution = $1 and changed > $2${since < 0 ? ' and not hidden' : ''}`, [id, since], {
    ...{ limit: 1_000_000, bytes },
  })

export const neededOperations = (
  run: Query,
  id: string,
  { after, ...page }: Parameters<ExecutionStore['operations']>[1],
) => paged(run, 'execution = $1 and number > $2 and not hidden', [id, after], page)

export const oneOperation = async (
  run: Query,
  id: string,
  operation: string,
): Promise<Operation | undefined> =>
  parsed<Operation>(
    await run('select number, data from execution_operations where execution = $1 and id = $2', [
      id,
      operation,
    ]),
  )[0]

export async function historyOf(
  run: Query,
  id: string,
  { after, limit, bytes, newestFirst }: HistoryPage,
): Promise<HistoryEvents> {
  const order = newestFirst ? 'desc' : 'asc'
  // The server measures large values without reading them. A row that does not fit is returned without its value.
  const rows = await run<Row>(
    `select number, case when place = 1 or (size <= $4 and place <= $3) then data end as data from (
       select number, data, row_number() over w as place, sum(octet_length(data)) over w as size from (
         select number, data from execution_history where execution = $1 and number ${newestFirst ? '<' : '>'} $2
         order by number ${order} limit $3 + 1
       ) e window w as (order by number ${order})
     ) p order by number ${order}`,
    [id, after ?? (newestFirst ? 2 ** 31 - 1 : 0), limit, bytes],
  )
  const fitting = rows.filter(({ data }) => data !== null)
  return { events: parsed<HistoryEvent>(fitting), hasMore: fitting.length < rows.length }
}

export async function listedExecutions(
  run: Query,
  query: ExecutionQuery,
): Promise<readonly ListedExecution[]> {
  const { functionName, name, statuses, startedAfter, startedBefore, newestFirst, after, limit } = query
  const rows = await run<ListedExecution & { readonly endedAt: number | null }>(
    `select number, id, function as "functionName", name, status, started_at as "startedAt", ended_at as "endedAt"
     from executions where function = $1 and ($2::text is null or name = $2)
       and ($3::text[] is null or status = any($3)) and ($4::bigint is null or started_at > $4)
       and ($5::bigint is null or started_at < $5) and ($6::bigint is null or number ${newestFirst ? '<' : '>'} $6)
     order by number ${newestFirst ? 'desc' : 'asc'} limit $7`,
    [
      ...[functionName, name ?? null, statuses ?? null, whole(startedAfter), whole(startedBefore)],
      ...[after ?? null, limit],
    ],
  )
  return rows.map(({ endedAt, ...each }) => ({ ...each, ...(endedAt !== null && { endedAt }) }))
}

const whole = (time: number | undefined): number | null => (time === undefined ? null : Math.floor(time))

export async function removeExecution(run: Query, id: string): Promise<void> {
  await run('delete from executions where id = $1', [id])
  await run('delete from execution_operations where execution = $1', [id])
  await run('delete from execution_history where execution = $1', [id])
}
