import type { NewWork } from '@signalbox/platform-runtime/work'
import {
  atOnce,
  callDelay,
  dueTime,
  type Execution,
  firstState,
  type HistoryEvent,
  hasEnded,
  type NewExecution,
  type Operation,
} from './execution.ts'
import { callWork, executionWork } from './execution-work.ts'

/** A function without durable executions that an operation calls. */
export interface NewCall {
  readonly execution: string
  readonly operation: string
  readonly functionName: string
}

/** What a store reads of an execution that is to be changed. */
export interface ReadExecution {
  /** Milliseconds since the epoch, by the clock of the storage. */
  readonly now: number
  /** The execution as a JSON string. */
  readonly data: string
  /** The operations that the change names, and those that are due. */
  readonly operations: readonly Operation[]
  /** When the first of the other operations is due. Only a change with a claim needs it. */
  readonly othersDueAt?: number | undefined
}

/** Rows that a store writes. Work that exists becomes due. */
export interface NewRows {
  readonly executions: readonly Execution[]
  readonly operations: readonly {
    readonly execution: string
    readonly operation: Operation
    /** Whether there is no row yet. */
    readonly isNew: boolean
    readonly dueAt: number | undefined
  }[]
  readonly events: readonly { readonly execution: string; readonly event: HistoryEvent }[]
  readonly work: readonly { readonly work: NewWork; readonly dueAt: number }[]
}

/** Returns the rows of a new execution. */
export function newExecution(wanted: NewExecution, now: number): NewRows {
  const { execution, operation, event } = firstState(wanted, now)
  return {
    executions: [execution],
    operations: [{ execution: execution.id, operation, isNew: true, dueAt: undefined }],
    events: [{ execution: execution.id, event }],
    // New executions come after what is due for older ones.
    work: [{ work: executionWork(wanted), dueAt: execution.retryAt ?? now }],
  }
}

/**
 * A change of an execution: what was read of it, and what will be written if nothing else has changed it since then.
 * Whoever changes the execution itself changes `execution`, and whoever changes an operation calls `put`.
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
  readonly #before: string
  readonly #changesBefore: number
  readonly #othersDueAt: number | undefined

  constructor({ now, data, operations, othersDueAt }: ReadExecution) {
    this.now = now
    this.execution = JSON.parse(data) as Execution
    this.#read = new Map(operations.map(each => [each.id, each]))
    this.#before = data
    this.#changesBefore = this.execution.changes
    this.#othersDueAt = othersDueAt
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

  /** Returns the changed execution as a JSON string. Returns undefined when there is nothing to write. */
  data(): string | undefined {
    const data = JSON.stringify(this.execution)
    const { changed, events, started, calls, hidden } = this
    const isSame = [changed.size, ...[events, started, calls, hidden].map(({ length }) => length)].every(
      count => count === 0,
    )
    return isSame && data === this.#before ? undefined : data
  }

  /** Returns the time at which the platform has something to do for the execution, after the change. */
  dueAt(): number {
    const times = [...this.#read.keys(), ...this.changed.keys()].map(id => this.operation(id)!.dueAt)
    const known = [...times, this.#othersDueAt].filter(time => time !== undefined)
    const at = dueTime(this.execution, known.length === 0 ? undefined : Math.min(...known))
    return at <= this.now ? atOnce : at
  }

  /**
   * Returns the rows to add. The work of the execution is among them if it is due at once.
   * @param isWaiting whether the claim on the work of the execution ends with the change, which decides when it is due
   */
  rows(isWaiting: boolean): NewRows {
    const { execution, now, changed, events, started, calls } = this
    const { id } = execution
    const others = started.map(each => newExecution(each, now))
    const isOver = hasEnded(execution)
    return {
      executions: others.flatMap(({ executions }) => executions),
      operations: [
        ...[...changed.values()].map(operation => ({
          ...{ execution: id, operation, isNew: !this.#read.has(operation.id) },
          dueAt: isOver ? undefined : operation.dueAt,
        })),
        ...others.flatMap(({ operations }) => operations),
      ],
      events: [...events.map(event => ({ execution: id, event })), ...others.flatMap(each => each.events)],
      work: [
        ...others.flatMap(({ work }) => work),
        ...calls.map(({ functionName, operation }) => ({
          work: callWork(id, functionName, operation),
          dueAt: now + callDelay,
        })),
        ...(this.isUrgent && !isWaiting ? [{ work: executionWork(execution), dueAt: atOnce }] : []),
      ],
    }
  }
}
