import * as t from 'io-ts'
import { NonEmptyText } from './text.ts'

/** One message that failed: the `messageId` of its record. */
export const BatchItemFailure = t.type({ itemIdentifier: NonEmptyText }, 'batch item failure')
export type BatchItemFailure = t.TypeOf<typeof BatchItemFailure>

/** What a queue function answers (contract B, output). The platform deletes every message that is not listed. */
export const BatchResponse = t.type({ batchItemFailures: t.array(BatchItemFailure) }, 'batch response')
export type BatchResponse = t.TypeOf<typeof BatchResponse>
