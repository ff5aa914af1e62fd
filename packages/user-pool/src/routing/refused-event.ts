import type { Problem } from '@signalbox/codec'
import { refusedEvent, refusedNewEvent } from '../contract/ready-event.ts'
import { newSource } from '../contract/triggers/ready-source.ts'
import type { Routes } from './route.ts'

/**
 * Returns the check of events for a route table. It refuses what breaks the contract, but a trigger source that the
 * contract lacks passes when a route of its trigger or `otherwise` serves it. A provider may add a source to a trigger at
 * any time, and no sign-in should fail because of it.
 */
export function refusedEventOf(routes: Routes): (event: unknown) => readonly Problem[] | null {
  return event => {
    const source = newSource((event as { readonly triggerSource?: unknown } | null)?.triggerSource)
    const isRead = source !== undefined && routes[source.row.trigger] !== undefined
    return source !== undefined && (isRead || routes.otherwise !== undefined)
      ? refusedNewEvent(event as object, source, isRead)
      : refusedEvent(event)
  }
}
