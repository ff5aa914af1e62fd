/** An event that a function gets later. */
export interface NewEvent {
  /** The request id: the same for every attempt. */
  readonly id: string
  readonly functionName: string
  /** JSON text. */
  readonly payload: string
  /** The JSON text of the caller's context. */
  readonly clientContext: string | undefined
}

/** What is known of an event that a function did not accept. */
export interface EventFailure {
  readonly condition: 'RetriesExhausted' | 'EventAgeExceeded'
  /** The payload of the last attempt. Undefined when there was none. */
  readonly payload: string | undefined
}

/** An event that was taken to be run. Times are milliseconds since the epoch. */
export interface TakenEvent extends NewEvent {
  readonly acceptedAt: number
  /** The number of attempts that failed. */
  readonly attempts: number
  /** The number of times in a row that the function could not be called. */
  readonly refusals: number
  /** Set when the event will not run again: only its destination has to get it. */
  readonly failure: EventFailure | undefined
  /** Increases each time that the event is taken. Only the last one who took it can change it. */
  readonly lease: number
}

/** When and how a taken event goes on. */
type EventProgress = Pick<TakenEvent, 'attempts' | 'refusals' | 'failure'> & { readonly dueAt: number }

/**
 * The storage port of events that run later. An event is kept until it is removed. Who takes an event has it until a
 * time; afterwards it can be taken again, and what the former does with it has no effect.
 */
export interface EventStore {
  /** Keeps an event. Resolves when it is durable. Rejects with `EventStoreFullError` when there is no space. */
  readonly add: (event: NewEvent, now: number) => Promise<void>
  /** Takes the events of a function that are due, the earliest first. */
  readonly take: (
    functionName: string,
    limits: { readonly max: number; readonly now: number; readonly until: number },
  ) => Promise<readonly TakenEvent[]>
  /** Gives a taken event back. Returns whether it was still taken. */
  readonly giveBack: (event: Pick<TakenEvent, 'id' | 'lease'>, progress: EventProgress) => Promise<boolean>
  /** Removes a taken event. Returns whether it was still taken. */
  readonly remove: (event: Pick<TakenEvent, 'id' | 'lease'>) => Promise<boolean>
  /** When the next event of a function is due. Undefined without events. */
  readonly nextDue: (functionName: string) => Promise<number | undefined>
  /** The number of events of each function. */
  readonly counts: () => Promise<ReadonlyMap<string, number>>
  readonly close: () => Promise<void>
}
