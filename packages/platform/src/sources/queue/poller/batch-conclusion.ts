import type { BatchVerdict } from '@signalbox/queue/contract'
import type { Conclusion } from '../../../invocation/conclusion.ts'

/** What a queue concludes, for people and programs to read. */
export function batchConclusion({ kind, ...verdict }: BatchVerdict): Omit<Conclusion, 'family'> {
  const text =
    'failed' in verdict ? `partial: ${verdict.failed.join(', ')} failed` : `${kind}: ${verdict.why}`
  return { kind, ok: kind !== 'failure', text }
}
