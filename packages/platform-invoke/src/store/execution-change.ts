import {
  type Execution,
  type HistoryEvent,
  hasEnded,
  type NewExecution,
  type Operation,
} from './execution.ts'

/** A function without durable executions that an operation calls. */
export interface NewCall {
  readonly execution: string
  readonly operation: string
  readonly functionName: string
}

/**
 * A change of an execution: what was read of it, and what will be written in the same transaction. Whoever changes the
 * execution itself changes `execution`, and whoever changes an operation calls `put`.
 */
export class ExecutionChange {
  /** Milliseconds since the epoch, by the clock of the storage. */
  readonly now: number
  readonly execution: Execution
  readonly changed = new Map<string, Operation>()
  readonly events: HistoryEvent[] = []
  readonly started: NewExecution[] = []
  readonly calls: NewCall[] = []
  /** The contexts whose operations functions no longer need. */
  readonly hidden: string[] = []
  readonly #read: ReadonlyMap<string, Operation>
  readonly #changesBefore: number

  constructor(now: number, execution: Execution, operations: readonly Operation[]) {
    this.now = now
    this.execution = execution
    this.#read = new Map(operations.map(each => [each.id, each]))
    this.#changesBefore = execution.changes
  }

  /** Returns the operations that were read and are due. */
  due(): readonly Operation[] {
    return [...this.#read.values()].filter(({ dueAt }) => dueAt !== undefined && dueAt <= this.now)
  }

  /** Returns an operation that was read or added. */
  operation(id: string): Operation | undefined {
    return this.changed.get(id) ?? this.#read.get(id)
  }

  /** Adds an operation. Returns it. */
  add(operation: Omit<Operation, 'number' | 'changed' | 'startedAt'>): Operation {
    const added = { ...operation, number: this.execution.operations++, startedAt: this.now, changed: 0 }
    this.put(added)
    return added
  }

  /** Writes an operation that has changed. */
  put(operation: Operation): void {
    operation.changed = ++this.execution.changes
    this.changed.set(operation.id, operation)
  }

  /**
   * Returns the operations that were changed after a number, in their order, if all of them were changed here. Otherwise
   * returns undefined, and they have to be read.
   */
  changedSince(number: number): readonly Operation[] | undefined {
    if (number < this.#changesBefore) return undefined
    return [...this.changed.values()]
      .filter(({ changed }) => changed > number)
      .sort((a, b) => a.number - b.number)
  }

  /** Adds an event to the history, with details under the name of its type. */
  record(
    event: Pick<HistoryEvent, 'EventType' | 'Id' | 'Name' | 'ParentId' | 'SubType'>,
    details: object,
  ): void {
    const EventId = ++this.execution.events
    this.events.push({
      ...{ EventId, EventTimestamp: this.now, ...event },
      [`${event.EventType}Details`]: details,
    })
  }

  /** Returns whether the change gives the platform something to do now. */
  get isUrgent(): boolean {
    const { execution } = this
    return hasEnded(execution) || execution.changedOutside > execution.seen
  }
}
