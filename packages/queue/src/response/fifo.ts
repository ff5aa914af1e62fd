import type { QueueEnvelope } from '../contract/event.ts'

type Records = QueueEnvelope['Records']
type Attributes = Record<string, unknown> | null | undefined

/**
 * Returns whether a batch comes from a FIFO queue, which is the case if the resource name of the queue ends in `.fifo`,
 * or if every record has a `SequenceNumber` and a `MessageGroupId`. A `MessageGroupId` alone is not enough, because
 * standard queues pass it on, too. All records are checked, because any of them can be invalid.
 */
export function isFifo(records: Records): boolean {
  let sequenced = records.length > 0
  for (const record of records) {
    if (hasFifoName(record)) return true
    sequenced &&= isSequenced(record)
  }
  return sequenced
}

/** Returns whether the name of the queue of a record is that of a FIFO queue. */
export function hasFifoName(record: Records[number]): boolean {
  const { eventSourceARN: arn } = record as { eventSourceARN?: unknown }
  // Checks the last letter first, because most queues are standard queues and `endsWith` costs a call for every record.
  return typeof arn === 'string' && arn[arn.length - 1] === 'o' && arn.endsWith('.fifo')
}

/** Returns whether a record has what every record of a FIFO queue has. */
export function isSequenced(record: Records[number]): boolean {
  return typeof attribute(record, 'SequenceNumber') === 'string' && groupOf(record) !== undefined
}

/** Returns the message group of a record, or undefined if it has none. All records without a group form one group. */
export function groupOf(record: Records[number]): string | undefined {
  const group = attribute(record, 'MessageGroupId')
  return typeof group === 'string' ? group : undefined
}

function attribute(record: Records[number], name: string): unknown {
  return (record as { attributes?: Attributes }).attributes?.[name]
}

/**
 * The positions of the records of a batch, by group. Groups run concurrently, and the records of a group run one after
 * another. In a standard queue, each record is its own group. This object contains no functions, because it is read
 * twice for every record.
 */
export interface Groups {
  readonly count: number
  /** The first position of each group, or undefined when every record is its own group. */
  readonly firsts: readonly number[] | undefined
  /** For each position, the next position in the same group, or -1. Undefined for a standard queue. */
  readonly nexts: Int32Array | undefined
}

/** Returns the first position of a group. */
export function firstOf({ firsts }: Groups, group: number): number {
  return firsts === undefined ? group : firsts[group]!
}

/** Returns the next position in the same group, or -1 at its end. */
export function nextInGroup({ nexts }: Groups, position: number): number {
  return nexts === undefined ? -1 : nexts[position]!
}

/**
 * Returns the groups of a batch: one for each message group of a FIFO queue, or one for each record of a standard
 * queue.
 */
export function groupsOf(records: Records, fifo = isFifo(records)): Groups {
  return fifo ? messageGroups(records) : { count: records.length, firsts: undefined, nexts: undefined }
}

function messageGroups(records: Records): Groups {
  const firsts: number[] = []
  const nexts = new Int32Array(records.length).fill(-1)
  const lasts = new Map<string | undefined, number>()
  for (let position = 0; position < records.length; position++) {
    const group = groupOf(records[position]!)
    const last = lasts.get(group)
    if (last === undefined) firsts.push(position)
    else nexts[last] = position
    lasts.set(group, position)
  }
  return { count: firsts.length, firsts, nexts }
}
