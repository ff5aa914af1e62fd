import type {
  Execution,
  ExecutionQuery,
  ExecutionStore,
  HistoryEvent,
  HistoryEvents,
  HistoryPage,
  ListedExecution,
  Operation,
} from '@signalbox/platform-invoke/store'
import type { Query } from '../database.ts'

interface Row {
  readonly number: number
  readonly data: string
}

const parsed = <T>(rows: readonly Row[]): readonly T[] => rows.map(({ data }) => JSON.parse(data) as T)

export const readExecution = async (run: Query, id: string): Promise<Execution | undefined> =>
  parsed<Execution>(await run('select 0 as number, data from executions where id = $1', [id]))[0]

export async function runningExecutions(run: Query, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await run<{ readonly id: string }>(
    `select id from executions where id = any($1) and status = 'RUNNING'`,
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Returns the first operations that fit into a number of bytes. A row that does not fit is returned without its value, so
 * that one statement also tells whether there are more.
 */
async function paged(
  run: Query,
  condition: string,
  values: readonly unknown[],
  { limit, bytes }: { readonly limit: number; readonly bytes: number },
) {
  const [most, size] = [`$${values.length + 1}`, `$${values.length + 2}`]
  const rows = await run<Row>(
    `select number, case when place = 1 or (size <= ${size} and place <= ${most}) then data end as data from (
       select number, data, row_number() over w as place, sum(size) over w as size from (
         select number, data, size from execution_operations where ${condition} order by number limit ${most} + 1
       ) o window w as (order by number)
     ) p order by number`,
    [...values, limit, Math.min(bytes, Number.MAX_SAFE_INTEGER)],
  )
  const fitting = rows.filter(({ data }) => data !== null)
  return { operations: parsed<Operation>(fitting), hasMore: fitting.length < rows.length }
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
