import { now } from './now.ts'
import { exactTime, relativeTime } from './words-of-time.ts'

/** A time relative to now. The exact time is in its title and in the markup. */
export function Time({ at }: { readonly at: number }) {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return <span class="faint">never</span>
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {relativeTime(at, now.value)}
    </time>
  )
}
