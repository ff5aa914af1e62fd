import type { Clock } from '@signalbox/core'

/** Milliseconds for which a text is not shown again. */
const pause = 60_000

/** The maximum number of texts that are remembered. */
const mostKnown = 100

/** Returns a function that shows a text at most once a minute, since clients can cause it with every request. */
export function seldom(notice: (text: string) => void, clock: Clock): (text: string) => void {
  const shown = new Map<string, number>()
  return text => {
    const now = clock.now()
    if (now < (shown.get(text) ?? Number.NEGATIVE_INFINITY) + pause) return
    shown.delete(text)
    shown.set(text, now)
    if (shown.size > mostKnown) shown.delete(shown.keys().next().value!)
    notice(text)
  }
}
