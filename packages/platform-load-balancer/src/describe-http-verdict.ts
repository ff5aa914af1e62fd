import type { HttpVerdict } from '@signalbox/load-balancer/contract'
import type { Verdict } from '@signalbox/platform-runtime'

/** Describes a verdict on an HTTP response in one line. */
export function describeHttpVerdict(verdict: HttpVerdict): Omit<Verdict, 'family'> {
  const { kind, status, reason } = verdict
  const line = `${status} ${reason}`.trim()
  return kind === 'answered'
    ? { kind, ok: true, text: line }
    : { kind, ok: false, text: `${line}: ${verdict.why}` }
}
