import type { Clock } from '@signalbox/core'

/**
 * Returns the present, for the age of log entries, whose times are those of the wall clock. A wrong clock must not empty
 * a log: the wall clock can be ahead now, and `now()` stays ahead if the wall clock was ahead when the platform started.
 * Therefore the earlier reading counts.
 */
export function logTime(clock: Pick<Clock, 'now' | 'wall'>): number {
  return Math.min(clock.now(), clock.wall())
}
