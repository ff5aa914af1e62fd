import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import type { PlatformFamilies } from '@signalbox/platform-runtime/platform'
import { checkEvent, type EventReport } from './check-event.ts'

/** A dialect, and the family of an event that uses its names. */
export interface EventDialect {
  readonly name: string
  readonly family: string
}

/**
 * Returns the dialect of an event. After translation from it, the event has fewer problems with the contract.
 * Undefined if no translation helps.
 */
export function dialectOf(
  event: unknown,
  dialects: CommandContext['dialects'],
  families: PlatformFamilies,
): EventDialect | undefined {
  const plain = departures(checkEvent(event, families))
  for (const [name, { read }] of Object.entries(dialects)) {
    const report = checkEvent(read(event), families)
    if (report.result !== 'unknown' && departures(report) < plain) return { name, family: report.family }
  }
  return undefined
}

/** Returns the number of places where an event breaks the contract. */
function departures(report: EventReport): number {
  switch (report.result) {
    case 'valid':
      return 0
    case 'normalizable':
      return report.drift.length
    case 'invalid':
      return 1e6 + report.problems.length + report.drift.length
    case 'unknown':
      return Number.POSITIVE_INFINITY
  }
}
