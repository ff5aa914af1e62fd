import {
  callWork,
  dueTime,
  ExecutionChange,
  type ExecutionStore,
  executionWork,
  type NewExecution,
} from '@signalbox/platform-invoke/store'
import type { Query } from '../database.ts'
import { timeOf, type WorkParts } from '../work/work-queue.ts'
import { workTable } from '../work/work-table.ts'
import {
  affectedOperations,
  changedOperations,
  historyOf,
  insertExecution,
  listedExecutions,
  lockedExecution,
  namedExecution,
  neededOperations,
  nextDue,
  oneOperation,
  readExecution,
  removeExecution,
  renameFailed,
  runningExecutions,
  writeChange,
} from './execution-rows.ts'

/** Milliseconds after which a platform looks for the work of other platforms. It does its own work at once. */
const pollInterval = 5000

/** Keeps executions in PostgreSQL, where several platforms work on them. The time is that of the database. */
export function executionStore(parts: WorkParts): ExecutionStore {
  const { database, periodic, platformId } = parts
  const { query, transaction } = database
  const at = timeOf(parts)
  const work = workTable('execution_work', platformId, at)
  const timeNow = async (run: Query, now: number): Promise<number> =>
    (await run<{ t: number }>('select time_of($1) as t', [at(now)]))[0]!.t

  const insert = async (run: Query, wanted: NewExecution, time: number, now: number): Promise<void> => {
    if (await insertExecution(run, wanted, time)) await work.put(run, executionWork(wanted), now)
  }

  return {
    start: (wanted, now, repeatsFailed = false) =>
      transaction(async run => {
        const before = repeatsFailed ? await renameFailed(run, wanted) : 0
        const attempt = before === 0 ? {} : { attempt: before + 1 }
        await insert(run, { ...wanted, ...attempt }, await timeNow(run, now), now)
        return (await namedExecution(run, wanted))!
      }),

    read: id => readExecution(query, id),
    running: ids => runningExecutions(query, ids),

    change: (id, { operations = [], claim, ending = 'keep', page }, change, now) =>
      transaction(async run => {
        // The execution is always locked before its work, so that no two changes wait for each other.
        const execution = await lockedExecution(run, id)
        if (execution === undefined) return undefined
        if (claim !== undefined && !(await work.holds(run, claim))) return undefined
        const affected = await affectedOperations(run, id, operations, at(now))
        const { time } = affected
        const draft = new ExecutionChange(time, execution, affected.operations)
        const { result, since } = change(draft)
        await writeChange(run, draft)
        for (const each of draft.started) await insert(run, each, time, now)
        for (const { functionName, operation } of draft.calls)
          await work.put(run, callWork(id, functionName, operation), now)
        if (ending === 'wait') {
          const dueAt = dueTime(execution, await nextDue(run, id))
          await work.retry(run, claim!, '', now + (dueAt - time), now)
        } else if (draft.isUrgent) await work.putOrHasten(run, executionWork(execution), now)
        if (ending === 'finish') await work.finish(run, claim!)
        const made = since === undefined ? [] : draft.changedSince(since)
        const changed =
          made === undefined
            ? await changedOperations(run, id, since!, page ?? Number.POSITIVE_INFINITY)
            : { operations: made, hasMore: false }
        return { result, execution, ...changed }
      }),

    operations: (id, page) => neededOperations(query, id, page),
    operation: (id, operation) => oneOperation(query, id, operation),
    history: (id, page) => historyOf(query, id, page),
    list: wanted => listedExecutions(query, wanted),

    forget: (id, claim) =>
      transaction(async run => {
        await lockedExecution(run, id)
        if (await work.finish(run, claim)) await removeExecution(run, id)
      }),

    claim: (queue, now, limit) => work.claim(query, queue, now, limit),
    giveBack: (each, dueAt, now) => work.giveBack(query, each, dueAt, now),
    unclaim: each => work.unclaim(query, each),
    finish: async each => void (await work.finish(query, each)),
    async counts() {
      const rows = await query<{ queue: string; count: number }>(
        `select queue, count(*) as count from execution_work
         where key not in (select id from executions where status <> 'RUNNING') group by queue`,
      )
      return new Map(rows.map(({ queue, count }) => [queue, count]))
    },
    watch(changed) {
      const stop = periodic.each('execution_work', pollInterval, async () => changed())
      return () => void stop()
    },
    close: () => database.idle(),
  }
}
