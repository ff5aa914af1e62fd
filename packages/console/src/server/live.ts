import type { InvocationLogEntry } from '@signalbox/platform-runtime'
import { type ConsoleContext, type InvocationFilters, passes } from '@signalbox/platform-runtime/console'
import { severityOf } from '@signalbox/platform-runtime/invocation-log'
import type { LiveEvents } from '../api/live.ts'
import { summaryOf } from './summary.ts'
import type { View } from './views.ts'

/** Milliseconds between two `invocations` events. */
const invocationsInterval = 100
/** Milliseconds between two `numbers` events. */
const numbersInterval = 1000

/** The maximum number of invocations in an event. */
const mostAtOnce = 50

/** Sends an event to a visitor. Resolves when the visitor can receive more. */
type SendEvent = <Kind extends keyof LiveEvents>(kind: Kind, data: LiveEvents[Kind]) => Promise<void>

/** The live stream for visitors. It does nothing while no visitor is connected. */
export interface Live {
  /**
   * Sends events until the returned function is called.
   * @param shown returns an invocation as the visitor sees it
   */
  readonly connect: (filters: InvocationFilters, shown: View['shown'], send: SendEvent) => () => void
  readonly close: () => void
}

interface Visit {
  readonly filters: InvocationFilters
  readonly shown: View['shown']
  readonly send: SendEvent
  /** The new invocations that have not been sent yet, newest last. */
  pending: InvocationLogEntry[]
  skipped: number
  cancel: (() => void) | undefined
  isBusy: boolean
}

/**
 * Watches the log while visitors are connected. A visitor who reads slowly gets fewer events, but no outdated events.
 */
export function live({ watch, functions, parts, families, clock, notice }: ConsoleContext): Live {
  const visits = new Set<Visit>()
  let calls = 0
  let errors = 0
  let end: (() => void) | undefined

  const begin = () => {
    const unwatch = watch(entry => {
      calls++
      if (severityOf(entry) === 'error') errors++
      for (const visit of visits) {
        const shown = visit.shown(entry)
        if (passes(shown, visit.filters)) add(visit, shown)
      }
    })
    let cancel = clock.after(numbersInterval, tick)
    function tick() {
      cancel = clock.after(numbersInterval, tick)
      void sendNumbers()
    }
    end = () => {
      unwatch()
      cancel()
      end = undefined
    }
  }

  const add = (visit: Visit, entry: InvocationLogEntry) => {
    visit.pending.push(entry)
    if (visit.pending.length > 2 * mostAtOnce) {
      visit.skipped += visit.pending.length - mostAtOnce
      visit.pending = visit.pending.slice(-mostAtOnce)
    }
    visit.cancel ??= clock.after(invocationsInterval, () => void sendInvocations(visit))
  }

  const sendInvocations = async (visit: Visit) => {
    visit.cancel = undefined
    // Entries that arrive while an event is being sent are sent after it.
    if (visit.isBusy || visit.pending.length === 0) return
    const entries = visit.pending.slice(-mostAtOnce).reverse()
    const skipped = visit.skipped + visit.pending.length - entries.length
    visit.pending = []
    visit.skipped = 0
    const known = await families()
    await sendTo(visit, 'invocations', { invocations: entries.map(each => summaryOf(each, known)), skipped })
    if (visit.pending.length > 0 && visits.has(visit))
      visit.cancel ??= clock.after(invocationsInterval, () => void sendInvocations(visit))
  }

  const sendNumbers = async () => {
    const at = clock.wall()
    const ofSources = await Promise.all(
      parts.map(async ({ name, live }) => [name, await live?.().catch(() => undefined)] as const),
    )
    const instances = Object.fromEntries(functions.map(each => [each.name, each.instances()]))
    const data = { ...Object.fromEntries(ofSources), at, instances, calls, errors }
    calls = 0
    errors = 0
    await Promise.all([...visits].map(visit => (visit.isBusy ? undefined : sendTo(visit, 'numbers', data))))
  }

  const sendTo = async <Kind extends keyof LiveEvents>(visit: Visit, kind: Kind, data: LiveEvents[Kind]) => {
    visit.isBusy = true
    try {
      await visit.send(kind, data)
    } catch (error) {
      notice(`The console could not send a live event: ${(error as Error).message}`)
    } finally {
      visit.isBusy = false
    }
  }

  return {
    connect(filters, shown, send) {
      const visit: Visit = { filters, shown, send, pending: [], skipped: 0, cancel: undefined, isBusy: false }
      visits.add(visit)
      if (end === undefined) begin()
      return () => {
        visit.cancel?.()
        visits.delete(visit)
        if (visits.size === 0) end?.()
      }
    },
    close() {
      for (const visit of visits) visit.cancel?.()
      visits.clear()
      end?.()
    },
  }
}
