import { now } from './now.ts'
import { exactTime, relativeTime } from './words-of-time.ts'

/** A time relative to now. Its title and its markup contain the exact time. */
export function Time({ at }: { readonly at: number }) {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return <span class="faint">never</span>
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {relativeTime(at, now.value)}
    </time>
  )
}
