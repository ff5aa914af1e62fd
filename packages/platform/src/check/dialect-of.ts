import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import type { PlatformFamilies } from '@signalbox/platform-runtime/platform'
import { checkEvent, type EventReport } from './check-event.ts'

/** The dialect whose names an event uses, and the family of the event. */
export interface EventDialect {
  readonly name: string
  readonly family: string
}

/**
 * Returns the first dialect whose translation of the event breaks the contract in fewer places than the original, or
 * undefined if no dialect does.
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

/**
 * Returns the first dialect that has a wrapper which makes an event of the contract of this one, or undefined if there is none.
 * Such an event can be sent as it is, but not be checked.
 */
export function wrappingDialectOf(
  event: unknown,
  dialects: CommandContext['dialects'],
  families: PlatformFamilies,
): EventDialect | undefined {
  for (const [name, { wrapped }] of Object.entries(dialects)) {
    const family = families.of(wrapped?.(event)?.event)
    if (family !== undefined) return { name, family: family.name }
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
