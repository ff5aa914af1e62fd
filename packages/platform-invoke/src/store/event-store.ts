import type { Clock } from '@signalbox/core'
import type { StoragePort } from '@signalbox/platform-runtime/storage'

/** An asynchronous event to be stored for a function. */
export interface NewEvent {
  /** The request id, which is the same for every attempt. */
  readonly id: string
  readonly functionName: string
  /** The event as a JSON string. */
  readonly payload: string
  /** The client context as a JSON string. */
  readonly clientContext: string | undefined
}

/** The reason why an event failed after all attempts, with the payload of the last attempt. */
export interface EventFailure {
  readonly condition: 'RetriesExhausted' | 'EventAgeExceeded'
  /** The payload of the last attempt. Undefined if the event expired or the attempt returned no payload. */
  readonly payload: string | undefined
}

/** A stored event that a platform has reserved in order to run it. */
export interface TakenEvent extends NewEvent {
  /** Milliseconds since the event was added. */
  readonly age: number
  /**
   * The number of attempts, which includes the one for which the event was taken. An attempt counts before it runs, so
   * that an event that ends the platform is not tried forever. An event with a failure is not tried again.
   */
  readonly attempts: number
  /** The number of times in a row that the function could not be called. */
  readonly refusals: number
  /** Set when the event will not run again but still has to be sent to its destination. */
  readonly failure: EventFailure | undefined
  /** Increases each time the event is taken. Only the platform that took the event last can change it. */
  readonly lease: number
}

interface TakeLimits {
  /** The maximum number of events. */
  readonly max: number
  /** Milliseconds for which the events are reserved for the caller. */
  readonly lease: number
}

/** The longest delay of an event that is put back, in milliseconds. */
export const longestDelay = 5 * 60_000

/** The new state of a taken event that is put back. */
type EventProgress = Pick<TakenEvent, 'attempts' | 'refusals' | 'failure'> & {
  /** Milliseconds until the event can be taken again. */
  readonly delay: number
}

/**
 * The store of asynchronous events. An event is kept until it is removed. A platform that takes an event holds it for
 * a limited time. Afterwards another platform can take the event, and changes by the first platform have no effect.
 * The clock of the store measures all times, because several platforms may share it.
 */
export interface EventStore {
  /** Stores an event. Resolves once it is durable. Rejects with `EventStoreFullError` when there is no space. */
  readonly add: (event: NewEvent) => Promise<void>
  /** Takes the due events of a function, earliest first, and counts an attempt of each. */
  readonly take: (functionName: string, limits: TakeLimits) => Promise<readonly TakenEvent[]>
  /** Puts a taken event back. Returns whether the caller still held the event. */
  readonly giveBack: (event: Pick<TakenEvent, 'id' | 'lease'>, progress: EventProgress) => Promise<boolean>
  /** Removes a taken event. Returns whether the caller still held the event. */
  readonly remove: (event: Pick<TakenEvent, 'id' | 'lease'>) => Promise<boolean>
  /**
   * Returns the number of milliseconds until an event of a function might be due. Returns undefined if no event will be
   * due before this platform adds the next one.
   */
  readonly nextIn: (functionName: string) => Promise<number | undefined>
  /** Returns the number of events of each function. */
  readonly counts: () => Promise<ReadonlyMap<string, number>>
  /** Removes all events. Absent in a store that several platforms share. */
  readonly clear?: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The storage port for asynchronous events. Each storage engine implements it and passes `eventStoreSuite`. */
export const eventStorage: StoragePort<(context: { readonly clock: Clock }) => Promise<EventStore>> = {
  name: 'events',
}
