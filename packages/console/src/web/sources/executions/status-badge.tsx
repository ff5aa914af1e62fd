import type { ListedExecution } from '@signalbox/platform-invoke/console'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { plainText } from '../../text/segments-of.ts'

/** The states of an execution in words, by their names in the API. */
export const statuses = {
  RUNNING: ['plain', 'running'],
  SUCCEEDED: ['good', 'succeeded'],
  FAILED: ['bad', 'failed'],
  TIMED_OUT: ['bad', 'timed out'],
  STOPPED: ['warn', 'stopped'],
} as const satisfies { readonly [status in ListedExecution['status']]: readonly [Tone, string] }

/** The state of an execution. */
export function StatusBadge({ of }: { readonly of: ListedExecution['status'] }) {
  const [tone, text] = Object.hasOwn(statuses, of)
    ? statuses[of]
    : (['plain', plainText(String(of).slice(0, 60))] as const)
  return <Badge tone={tone}>{text}</Badge>
}
