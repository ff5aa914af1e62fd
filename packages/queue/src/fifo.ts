import type { QueueEnvelope } from './contract/event.ts'

type Records = QueueEnvelope['Records']
type Attributes = Record<string, unknown> | null | undefined

/**
 * Whether a batch is from a FIFO queue: the resource name of its queue ends in `.fifo`, or every record has a
 * `SequenceNumber` and a `MessageGroupId`. A group alone does not make it one: standard queues pass it on too.
 * It looks at every record, since any of them may be broken.
 */
export function isFifo(records: Records): boolean {
  let sequenced = records.length > 0
  for (const record of records) {
    const { eventSourceARN: arn } = record as { eventSourceARN?: unknown }
    if (typeof arn === 'string' && arn.endsWith('.fifo')) return true
    if (sequenced)
      sequenced = typeof attribute(record, 'SequenceNumber') === 'string' && groupOf(record) !== undefined
  }
  return sequenced
}

/** The group of a record; those that have none are a group as well. */
export function groupOf(record: Records[number]): string | undefined {
  const group = attribute(record, 'MessageGroupId')
  return typeof group === 'string' ? group : undefined
}

function attribute(record: Records[number], name: string): unknown {
  return (record as { attributes?: Attributes }).attributes?.[name]
}

/** The positions of a batch in the order in which they may be handled: lanes run side by side, each in order. */
export interface Lanes {
  readonly count: number
  /** The first position of a lane. */
  first(lane: number): number
  /** The position that comes after another in its lane, or -1. */
  next(position: number): number
}

/** The lanes of a batch: one for each group of a FIFO queue, one for each record of a standard one. */
export function lanesOf(records: Records): Lanes {
  return isFifo(records)
    ? groupLanes(records)
    : { count: records.length, first: lane => lane, next: () => -1 }
}

function groupLanes(records: Records): Lanes {
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
  return { count: firsts.length, first: lane => firsts[lane]!, next: position => nexts[position]! }
}
