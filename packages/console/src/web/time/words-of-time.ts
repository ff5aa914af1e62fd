const steps: readonly (readonly [number, string])[] = [
  [24 * 3600_000, 'd'],
  [3600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
]

/** Describes a time relative to now, such as `3 min ago` or `in 3 min`. */
export function relativeTime(time: number, now: number): string {
  const span = Math.abs(now - time)
  if (span < 2000) return 'just now'
  const words = spanInWords(span)
  return time > now ? `in ${words}` : `${words} ago`
}

/** Describes a duration in its largest whole unit, such as `3 min`. */
export function spanInWords(span: number): string {
  for (const [unit, name] of steps) if (span >= unit) return `${Math.floor(span / unit)} ${name}`
  return `${Math.round(span)} ms`
}

/** Describes a duration with up to three digits, such as `1.53 s`. */
export function durationInWords(milliseconds: number): string {
  if (milliseconds < 1000) return `${trimmed(milliseconds, milliseconds < 10 ? 1 : 0)} ms`
  if (milliseconds < 60_000) return `${trimmed(milliseconds / 1000, milliseconds < 10_000 ? 2 : 1)} s`
  return spanInWords(milliseconds)
}

/** Describes a time with its date, milliseconds and time zone. */
export function exactTime(time: number): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return 'an invalid time'
  const local = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clockTime(time)}`
  return `${local} (${date.toISOString()})`
}

/** Returns the time of day with milliseconds. */
export function clockTime(time: number): string {
  const date = new Date(time)
  const seconds = `${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`
  return `${two(date.getHours())}:${two(date.getMinutes())}:${seconds}`
}

/** Formats a number of bytes, such as `1.5 kB`. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1e6) return `${trimmed(bytes / 1000, 1)} kB`
  return bytes < 1e9 ? `${trimmed(bytes / 1e6, 1)} MB` : `${trimmed(bytes / 1e9, 1)} GB`
}

function trimmed(number: number, digits: number): string {
  return String(Number(number.toFixed(digits)))
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
