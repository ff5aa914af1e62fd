import type { RecordKind } from '../storage/transfer/transfer.ts'

/**
 * Describes the records of a work queue, for copies to another storage engine. A copy has no claims.
 * @param name the name of the kind of record
 */
export const workRecords = (name: string): RecordKind => ({
  name,
  key: ['number'],
  fields: ['queue', 'key', 'owner', 'data', 'put_at', 'due_at', 'tries'],
  atOnce: 20,
})
