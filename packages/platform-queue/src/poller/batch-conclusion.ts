import type { Conclusion } from '@signalbox/platform-runtime'
import type { BatchVerdict } from '@signalbox/queue/contract'

/** What a queue concludes, for people and programs to read. */
export function batchConclusion({ kind, ...verdict }: BatchVerdict): Omit<Conclusion, 'family'> {
  const text =
    'failed' in verdict ? `partial: ${verdict.failed.join(', ')} failed` : `${kind}: ${verdict.why}`
  return { kind, ok: kind !== 'failure', text }
}
