import { readyRecord } from '../contract/ready.ts'
import type { QueueRecord } from '../contract/record.ts'
import { hasFifoName, isSequenced } from '../response/fifo.ts'

/**
 * The batch that was examined last, directly before the handler runs. The handler takes it, and checks no record again.
 * See docs/decisions/queues.md#a-batch-is-examined-once.
 */
export interface ExaminedBatch {
  /** Undefined if a record has to be checked, or normalized first. */
  records: unknown
  isFifo: boolean
}

/**
 * Examines all records of an event at once. If each belongs to a queue, is valid, and is left unchanged by the
 * normalizer, sets `batch` and returns true. Never throws.
 */
// A record is in the processor's cache when its second question is asked. Four loops, one for each question, would read
// all records four times. See the work `batch` in benchmarks/.
export function examineBatch(event: unknown, batch: ExaminedBatch): boolean {
  batch.records = undefined
  try {
    const { Records: records } = event as { readonly Records: readonly QueueRecord[] }
    if (!Array.isArray(records)) return false
    let isNamed = false
    let isSequence = records.length > 0
    for (let position = 0; position < records.length; position++) {
      const record = records[position]!
      if (!readyRecord.is(record)) return false
      const attributes: { readonly [name: string]: unknown } = record.attributes
      for (const name in attributes) if (typeof attributes[name] !== 'string') return false
      isNamed ||= hasFifoName(record)
      isSequence &&= isSequenced(record)
    }
    batch.records = records
    batch.isFifo = isNamed || isSequence
    return true
  } catch {
    // The event is not an object, or a getter throws.
    return false
  }
}
