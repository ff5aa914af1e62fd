import type { StoragePort } from '@signalbox/platform-runtime/storage'
import type { ClaimedWork, NewWork, WorkQueue } from '@signalbox/platform-runtime/work'

/** An asynchronous event to be stored for a function. */
export interface NewEvent {
  /** The request id, which is the same for every attempt. */
  readonly id: string
  readonly functionName: string
  /** The event as a JSON string. */
  readonly payload: string
  /** The client context as a JSON string. */
  readonly clientContext: string | undefined
  /** The tenant for whom the function runs. Undefined when the client named none. */
  readonly tenantId: string | undefined
  /** The span that accepted the event, as the value of a header `traceparent`. Events of earlier versions have none. */
  readonly trace?: string | undefined
}

/** Returns the fields that an event adds to the context of its function. */
export function contextOf({
  clientContext,
  tenantId,
}: Pick<NewEvent, 'clientContext' | 'tenantId'>): { readonly [name: string]: unknown } | undefined {
  if (clientContext === undefined && tenantId === undefined) return undefined
  return {
    ...(clientContext !== undefined && { clientContext: JSON.parse(clientContext) as unknown }),
    ...(tenantId !== undefined && { tenantId }),
  }
}

/** The reason why an event failed after all attempts, with the payload of the last attempt. */
export interface EventFailure {
  readonly condition: 'RetriesExhausted' | 'EventAgeExceeded'
  /** The payload of the last attempt. Undefined if the event expired or the attempt returned no payload. */
  readonly payload: string | undefined
}

/** What the earlier attempts of an event have led to. */
interface EventProgress {
  /** The number of attempts. */
  readonly attempts: number
  /** The number of times in a row that the function could not be called. */
  readonly refusals: number
  /** Set when the event will not run again but still has to be sent to its destination. */
  readonly failure: EventFailure | undefined
}

/** A stored event that a platform has claimed in order to run it. */
export interface TakenEvent extends NewEvent, EventProgress {
  /**
   * The number of attempts, which includes the one for which the event was claimed. An attempt counts before it runs, so
   * that an event that ends the platform is not tried forever. An event with a failure is not tried again.
   */
  readonly attempts: number
}

/** The storage port for asynchronous events. The queue of a function has the name of the function. */
export const eventStorage: StoragePort<() => Promise<WorkQueue>> = { name: 'events' }

type EventData = Pick<NewEvent, 'payload'> &
  Partial<Pick<NewEvent, 'clientContext' | 'tenantId' | 'trace'>> &
  Partial<EventProgress>

/** Returns the work that runs an event. */
export function workOf({ id, functionName, ...data }: NewEvent): NewWork {
  return { queue: functionName, key: id, data: JSON.stringify(data satisfies EventData) }
}

/** Returns the event that claimed work runs. */
export function eventOf({ queue, key, data, tries }: ClaimedWork): TakenEvent {
  const {
    payload,
    clientContext,
    tenantId,
    trace,
    attempts = 0,
    refusals = 0,
    failure,
  } = JSON.parse(data) as EventData
  return {
    ...{ id: key, functionName: queue, payload, refusals },
    clientContext: clientContext ?? undefined,
    tenantId,
    trace,
    attempts: attempts + (failure ? 0 : tries),
    failure: failure ?? undefined,
  }
}

/** Returns the data of the work of an event. */
export function dataOf({
  payload,
  clientContext,
  tenantId,
  trace,
  attempts,
  refusals,
  failure,
}: TakenEvent): string {
  return JSON.stringify({
    payload,
    clientContext,
    tenantId,
    trace,
    attempts,
    refusals,
    failure,
  } satisfies EventData)
}
