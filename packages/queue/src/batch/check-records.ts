import { readyRecord } from '../contract/ready.ts'
import { type RecordStates, valid } from '../response/record-states.ts'

/**
 * Returns the first states of records: `valid` for those that fulfil the contract. All others fail when it is their turn,
 * so that each fails alone and with a reason.
 */
// All records are checked in one short loop, before the first message is handled. Between two calls of JSON.parse, the
// same check takes twice as long, because the processor has forgotten its branches. See the work `batch` in
// benchmarks/.
export function checkRecords(records: readonly unknown[]): RecordStates {
  const states = new Uint8Array(records.length)
  for (let position = 0; position < records.length; position++) {
    try {
      if (readyRecord.is(records[position])) states[position] = valid
    } catch {
      // A getter of the record throws. It throws again when the reason is looked for.
    }
  }
  return states
}
