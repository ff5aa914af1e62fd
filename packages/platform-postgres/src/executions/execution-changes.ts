import {
  type ChangeOptions,
  type Execution,
  type ExecutionChange,
  hasEnded,
  type NewExecution,
  type NewRows,
  type Operation,
  type ReadExecution,
} from '@signalbox/platform-invoke/store'
import type { ClaimedWork } from '@signalbox/platform-runtime/work'
import type { Query } from '../database.ts'
import { type Place, rowsOf, statementValues } from '../statement-values.ts'
import type { WorkTable } from '../work/work-table.ts'

/**
 * An execution as it was read, with the version of its row: the number of the transaction that wrote it. Whatever changes
 * an execution, its operations or its history writes this row, so that a statement that finds the same version knows
 * that nothing has changed.
 */
export interface Versioned extends ReadExecution {
  readonly version: string
}

interface ReadRow {
  readonly time: number
  /** Absent in the rows of operations. */
  readonly version: string | null
  readonly data: string
  readonly othersDueAt: number | null
}

/**
 * Reads what a change of an execution needs, without locking it. Returns undefined when there is no such execution, or when
 * the claim was lost.
 * @param at the time to use, or null to use the database clock
 */
export async function readForChange(
  run: Query,
  id: string,
  { operations = [], claim }: ChangeOptions,
  { work, at }: { readonly work: WorkTable; readonly at: number | null },
): Promise<Versioned | undefined> {
  const { values, place } = statementValues()
  const [execution, named, time] = [place(id), place(operations), place(at)]
  const othersDueAt =
    claim === undefined
      ? 'null::bigint'
      : `(select min(due_at) from execution_operations
          where execution = ${execution} and due_at > (select t from n) and not (id = any(${named})))`
  const rows = await run<ReadRow>(
    `with n as materialized (select t from time_of(${time}) t)
     select t as time, e.xmin::text as version, data, ${othersDueAt} as "othersDueAt" from n, executions e
     where id = ${execution} ${claim === undefined ? '' : `and ${work.parts.isHeld(place, claim)}`}
     union all select 0, null, data, null from execution_operations
     where execution = ${execution} and id = any(${named})
     union all select 0, null, data, null from execution_operations
     where execution = ${execution} and due_at <= (select t from n)`,
    values,
  )
  const found = rows.find(({ version }) => version !== null)
  return (
    found && {
      ...{ now: found.time, version: found.version!, data: found.data },
      operations: rows.filter(row => row !== found).map(({ data }) => JSON.parse(data) as Operation),
      othersDueAt: found.othersDueAt ?? undefined,
    }
  )
}

/**
 * Writes a change and what becomes of the claim with one statement, if the execution still has the version that was read,
 * and if the claim is still held. Returns whether it was written.
 */
export async function writeChange(
  run: Query,
  draft: ExecutionChange,
  version: string,
  {
    claim,
    ending = 'keep',
    work,
  }: {
    readonly claim: ClaimedWork | undefined
    readonly ending: 'keep' | 'wait' | 'finish' | undefined
    readonly work: WorkTable
  },
): Promise<boolean> {
  const { execution, now, hidden } = draft
  const data = draft.data()
  if (data === undefined && ending === 'keep') return true
  const { values, place } = statementValues()
  const id = place(execution.id)
  const held = claim === undefined ? '' : `and ${work.parts.isHeld(place, claim)}`
  const parts = [
    `gate as (
       update executions set status = ${place(execution.status)}, ended_at = ${place(execution.endedAt ?? null)},
         data = ${place(data ?? JSON.stringify(execution))}
       where id = ${id} and xmin = ${place(version)}::xid ${held} returning 1
     )`,
  ]
  const rows = draft.rows(ending === 'wait')
  const own = rows.operations.filter(each => each.execution === execution.id)
  const others = () =>
    `execution = ${id} and not (id = any(${place(own.map(({ operation }) => operation.id))}))`
  const isHiding = hidden.length > 0 && !hasEnded(execution)
  if (isHiding)
    parts.push(
      `family as not materialized (
         select id, parent from execution_operations where execution = ${id}
         union all select * from unnest(${place(own.map(({ operation }) => operation.id))}::text[],
           ${place(own.map(({ operation }) => operation.parentId ?? null))}::text[])
       ), inside (id) as (
         select id from family where parent = any(${place(hidden)})
         union select f.id from inside i join family f on f.parent = i.id
       ), hiding as (
         update execution_operations set hidden = true from gate
         where ${others()} and not hidden and id in (select id from inside)
       )`,
    )
  if (hasEnded(execution))
    parts.push(
      `ending as (
         update execution_operations set due_at = null from gate where ${others()} and due_at is not null
       )`,
    )
  parts.push(...written(place, rows, isHiding))
  if (rows.work.length > 0) parts.push(`put as (${work.parts.putOrHasten(place, now, rows.work)})`)
  if (ending === 'wait') parts.push(`claimed as (${work.parts.release(place, claim!, draft.dueAt())})`)
  else if (ending === 'finish') parts.push(`claimed as (${work.parts.finish(place, claim!)})`)
  return (await run(`with recursive ${parts.join(', ')} select from gate`, values)).length > 0
}

/** Returns the parts of a statement that write rows if its part `gate` has a row. */
function written(
  place: Place,
  { executions, operations, events }: NewRows,
  isHiding = false,
): readonly string[] {
  const parts: string[] = []
  const add = (table: keyof typeof columns, rows: Rows, hidden?: string) => {
    if (rows.length > 0)
      parts.push(
        `${table}_added as (
           insert into ${table} (${Object.keys(columns[table]).join(', ')}${hidden === undefined ? '' : ', hidden'})
           select u.*${hidden === undefined ? '' : `, ${hidden}`} from gate, ${rowsOf(place, columns[table], rows)}
         )`,
      )
  }
  const started = executions.map(each => {
    const { id, functionName, name, status, startedAt } = each
    return [id, functionName, name, status, startedAt, JSON.stringify(each)]
  })
  const rowsWhere = (isNew: boolean): Rows =>
    operations
      .filter(each => each.isNew === isNew)
      .map(({ execution, operation, dueAt }) => {
        const { id, number, parentId, changed } = operation
        return [execution, id, number, parentId ?? null, changed, dueAt ?? null, JSON.stringify(operation)]
      })
  const hidden = isHiding ? 'u.id in (select id from inside)' : undefined
  const changed = rowsWhere(false)
  add('executions', started)
  add('execution_operations', rowsWhere(true), hidden)
  if (changed.length > 0)
    parts.push(
      `changed as (
         update execution_operations o set changed = u.changed, due_at = u.due_at, data = u.data
           ${hidden === undefined ? '' : `, hidden = o.hidden or ${hidden}`}
         from gate, ${rowsOf(place, columns.execution_operations, changed)}
         where o.execution = u.execution and o.id = u.id
       )`,
    )
  add(
    'execution_history',
    events.map(({ execution, event }) => [execution, event.EventId, JSON.stringify(event)]),
  )
  return parts
}

type Rows = Parameters<typeof rowsOf>[2]

const columns = {
  executions: {
    ...({ id: 'text', function: 'text', name: 'text', status: 'text' } as const),
    ...({ started_at: 'bigint', data: 'text' } as const),
  },
  execution_operations: {
    ...({ execution: 'text', id: 'text', number: 'integer', parent: 'text' } as const),
    ...({ changed: 'integer', due_at: 'bigint', data: 'text' } as const),
  },
  execution_history: { execution: 'text', number: 'integer', data: 'text' },
} as const

/** Returns the time, and the execution that has a name, with its version. */
export async function readNamed(
  run: Query,
  { functionName, name }: Pick<NewExecution, 'functionName' | 'name'>,
  at: number | null,
) {
  const [row] = await run<{
    readonly time: number
    readonly version: string | null
    readonly data: string | null
  }>(
    `select t as time, e.xmin::text as version, data from time_of($3) t
     left join executions e on function = $1 and name = $2`,
    [functionName, name, at],
  )
  const { time, version, data } = row!
  return {
    time,
    named: data === null ? undefined : { version: version!, execution: JSON.parse(data) as Execution },
  }
}

/**
 * Writes a new execution with one statement, unless its function has one with its name, or with the new name of the one
 * that had it. Returns whether it was written.
 * @param renamed the execution that had the name, with its new name, and the version with which it was read
 */
export async function writeNew(
  run: Query,
  rows: NewRows,
  now: number,
  work: WorkTable,
  renamed?: { readonly version: string; readonly execution: Execution },
): Promise<boolean> {
  const { values, place } = statementValues()
  const execution = rows.executions[0]!
  const { id, functionName, name, status, startedAt } = execution
  const parts: string[] = []
  if (renamed !== undefined)
    parts.push(
      `renamed as (
         update executions set name = ${place(renamed.execution.name)}, data = ${place(JSON.stringify(renamed.execution))}
         where id = ${place(renamed.execution.id)} and xmin = ${place(renamed.version)}::xid returning 1
       )`,
    )
  const texts = [id, functionName, name, status].map(text => `${place(text)}::text`).join(', ')
  parts.push(
    `gate as (
       insert into executions (id, function, name, status, started_at, data)
       select ${texts}, ${place(startedAt)}::bigint, ${place(JSON.stringify(execution))}::text
       ${renamed === undefined ? '' : 'from renamed'} on conflict (function, name) do nothing returning 1
     )`,
    ...written(place, { ...rows, executions: [] }),
    `put as (${work.parts.putOrHasten(place, now, rows.work)})`,
  )
  try {
    return (await run(`with ${parts.join(', ')} select from gate`, values)).length > 0
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === 'executions_function_name_key') return false
    throw error
  }
}

/** Removes an execution that has ended, and its claimed work, with one statement, if the claim is held. */
export async function removeExecution(
  run: Query,
  id: string,
  claim: ClaimedWork,
  work: WorkTable,
): Promise<void> {
  const { values, place } = statementValues()
  const execution = place(id)
  // The execution is always locked before its work, so that no two statements wait for each other.
  await run(
    `with gate as materialized (
       select from executions where id = ${execution} and status <> 'RUNNING' for update
     ), claimed as (${work.parts.finish(place, claim)} returning 1),
     e as (delete from executions using claimed where id = ${execution}),
     o as (delete from execution_operations using claimed where execution = ${execution}),
     h as (delete from execution_history using claimed where execution = ${execution})
     select`,
    values,
  )
}
