import type { Clock } from '@signalbox/core'
import { type Execution, hasEnded } from '../store/execution.ts'
import type { ExecutionStore } from '../store/execution-store.ts'

/** Milliseconds until the first look at an execution that another platform may end. Each wait is twice the last one. */
const firstLook = 100

/** The longest wait between two looks, in milliseconds. */
const longestLook = 2000

/** Thrown for a request that names an execution that does not exist, or that is no longer kept. */
export class UnknownExecutionError extends Error {
  override readonly name = 'UnknownExecutionError'
}

/** Thrown for who waits for the end of an execution while the platform stops. The execution goes on at the next start. */
export class StoppingError extends Error {
  override readonly name = 'StoppingError'
}

/** An execution for whose end somebody waits. */
interface Awaited {
  /** Called when the execution may have ended. */
  readonly looks: Set<() => void>
  interval: number
  /** When to ask the storage whether another platform has ended the execution. */
  lookAt: number
}

/** The executions for whose end somebody waits. */
export interface AwaitedExecutions {
  /** Resolves with an execution once it has ended. Rejects when the signal is aborted. */
  readonly end: (id: string, signal: AbortSignal) => Promise<Execution>
  /** Must be called when this platform has changed an execution. */
  readonly changed: (execution: Execution) => void
  /** Must be called when executions may be gone. */
  readonly lookAll: () => void
  /** Rejects all that wait, and all that will. */
  readonly stop: () => void
}

/**
 * Waits for executions that this platform ends, and for those that other platforms end. One read of the storage asks for
 * all of the latter whose turn it is.
 * @param isShared whether other platforms work on the same executions
 */
export function awaitedExecutions(
  store: Pick<ExecutionStore, 'read' | 'running'>,
  machineClock: Clock,
  isShared: boolean,
): AwaitedExecutions {
  const awaited = new Map<string, Awaited>()
  let isStopped = false
  let isAsking = false
  let cancel = () => {}
  let plannedAt = Number.POSITIVE_INFINITY

  // Executions share a look, so a platform asks at most once in each period of the length of the first look.
  const turn = (interval: number) => Math.ceil((machineClock.now() + interval) / firstLook) * firstLook

  const unplan = () => {
    cancel()
    plannedAt = Number.POSITIVE_INFINITY
  }

  const plan = (at: number) => {
    if (!isShared || isAsking || isStopped || at >= plannedAt) return
    cancel()
    plannedAt = at
    cancel = machineClock.after(Math.max(0, at - machineClock.now()), () => void ask())
  }

  const ask = async () => {
    isAsking = true
    unplan()
    const now = machineClock.now()
    const due = [...awaited].filter(([, { lookAt }]) => lookAt <= now)
    const ids = due.map(([id]) => id)
    // Executions go on when their database can be reached again. Who waits must not start others. Any other error is for
    // those who wait, and each of them gets it from its own look.
    const running = await store.running(ids).catch(error => new Set(isUnavailable(error) ? ids : []))
    for (const [id, each] of due) {
      each.interval = Math.min(2 * each.interval, longestLook)
      each.lookAt = turn(each.interval)
      if (!running.has(id)) for (const look of [...each.looks]) look()
    }
    isAsking = false
    let next = Number.POSITIVE_INFINITY
    for (const { lookAt } of awaited.values()) next = Math.min(next, lookAt)
    plan(next)
  }

  const lookAll = () => {
    for (const { looks } of awaited.values()) for (const look of [...looks]) look()
  }

  const read = (id: string) =>
    store.read(id).catch((error: unknown) => {
      if (isShared && isUnavailable(error)) return 'unknown' as const
      throw error
    })

  return {
    async end(id, signal) {
      for (;;) {
        signal.throwIfAborted()
        if (isStopped) throw new StoppingError('The platform is stopping.')
        let look = () => {}
        const looked = new Promise<void>(resolve => {
          look = resolve
        })
        const one = awaited.get(id) ?? { looks: new Set(), interval: firstLook, lookAt: turn(firstLook) }
        awaited.set(id, one)
        one.looks.add(look)
        signal.addEventListener('abort', look, { once: true })
        plan(one.lookAt)
        try {
          const execution = await read(id)
          if (execution === undefined)
            throw new UnknownExecutionError('The durable execution does not exist.')
          if (execution !== 'unknown' && hasEnded(execution)) return execution
          await looked
        } finally {
          one.looks.delete(look)
          signal.removeEventListener('abort', look)
          if (one.looks.size === 0) awaited.delete(id)
          if (awaited.size === 0) unplan()
        }
      }
    },

    changed(execution) {
      if (hasEnded(execution)) for (const look of [...(awaited.get(execution.id)?.looks ?? [])]) look()
    },

    lookAll,

    stop() {
      isStopped = true
      unplan()
      lookAll()
    },
  }
}

function isUnavailable(error: unknown): boolean {
  return String((error as { readonly code?: unknown } | undefined)?.code).endsWith('UNAVAILABLE')
}
