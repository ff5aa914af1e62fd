import {
  ExecutionChange,
  type ExecutionStore,
  hasFailed,
  type NewExecution,
  newExecution,
} from '@signalbox/platform-invoke/store'
import { turns } from '../turns.ts'
import { timeOf, type WorkParts } from '../work/work-queue.ts'
import { workTable } from '../work/work-table.ts'
import { readForChange, readNamed, removeExecution, writeChange, writeNew } from './execution-changes.ts'
import {
  changedOperations,
  historyOf,
  listedExecutions,
  neededOperations,
  oneOperation,
  readExecution,
  runningExecutions,
} from './execution-rows.ts'

/** Milliseconds after which a platform looks for the work of other platforms. It does its own work at once. */
const pollInterval = 5000

/**
 * Keeps executions in PostgreSQL, where several platforms work on them. The time is that of the database. A change locks
 * nothing while it is made: one statement reads, and another one writes if nothing has changed since. Otherwise the change
 * is made again.
 */
export function executionStore(parts: WorkParts): ExecutionStore {
  const { database, periodic, platformId } = parts
  const { query } = database
  const at = timeOf(parts)
  const work = workTable('execution_work', platformId, at)
  // The changes of one platform do not have to be made again because of each other.
  const inTurn = turns()

  /** Returns the first free name with a number for an execution that gives its name to another one. */
  const freeName = async ({ functionName, name }: NewExecution, first: number): Promise<string> => {
    for (let number = first; ; number++) {
      const free = `${name}-${number}`
      if ((await readNamed(query, { functionName, name: free }, null)).named === undefined) return free
    }
  }

  return {
    async start(wanted, now, repeatsFailed = false) {
      for (;;) {
        const { time, named } = await readNamed(query, wanted, at(now))
        if (named !== undefined && !(repeatsFailed && hasFailed(named.execution))) return named.execution
        const { attempt = 1 } = named?.execution ?? {}
        const rows = newExecution({ ...wanted, ...(named && { attempt: attempt + 1 }) }, time)
        const renamed = named && {
          version: named.version,
          execution: { ...named.execution, name: await freeName(wanted, attempt) },
        }
        if (await writeNew(query, rows, time, work, renamed)) return rows.executions[0]!
      }
    },

    read: id => readExecution(query, id),
    running: ids => runningExecutions(query, ids),

    change: (id, options, change, now) =>
      inTurn(id, async () => {
        const { claim, page = Number.POSITIVE_INFINITY } = options
        for (;;) {
          const read = await readForChange(query, id, options, { work, at: at(now) })
          if (read === undefined) {
            if (claim !== undefined) work.forget([claim])
            return undefined
          }
          const draft = new ExecutionChange(read)
          const { result, since, claim: ending } = change(draft)
          // If the statement fails, this platform can claim the work again.
          let isClaimOver = claim !== undefined && ending !== undefined && ending !== 'keep'
          try {
            const isWritten = await writeChange(query, draft, read.version, { claim, ending, work })
            isClaimOver &&= isWritten
            if (!isWritten) continue
          } finally {
            if (isClaimOver) work.forget([claim!])
          }
          const { execution } = draft
          const made = since === undefined ? [] : draft.changedSince(since)
          const changed =
            made === undefined
              ? await changedOperations(query, id, since!, page)
              : { operations: made, hasMore: false }
          return { result, execution, ...changed }
        }
      }),

    operations: (id, page) => neededOperations(query, id, page),
    operation: (id, operation) => oneOperation(query, id, operation),
    history: (id, page) => historyOf(query, id, page),
    list: wanted => listedExecutions(query, wanted),

    async forget(id, claim) {
      try {
        await removeExecution(query, id, claim, work)
      } finally {
        work.forget([claim])
      }
    },

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
      const stop = periodic.each('execution_work', pollInterval, async () => {
        if (!parts.usesGivenTime) await work.correct(query).catch(() => {})
        changed()
      })
      return () => void stop()
    },
    close: () => database.idle(),
  }
}
