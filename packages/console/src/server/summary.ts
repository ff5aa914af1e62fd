import type { InvocationLogEntry } from '@signalbox/platform-runtime'
import type { InvocationSummary } from '@signalbox/platform-runtime/console'
import { loggedErrors, severityOf } from '@signalbox/platform-runtime/invocation-log'
import type { PlatformFamilies } from '@signalbox/platform-runtime/platform'

/** The maximum length of an event that is parsed for its summary, in characters. */
const parsedLimit = 100_000

/** Summarizes an invocation for the list. */
export function summaryOf(entry: InvocationLogEntry, families: PlatformFamilies): InvocationSummary {
  const { event, payload: _, logs: __, ...rest } = entry
  const { id, requestId, functionName, source, family, attempt, generation, started, duration } = rest
  const { verdict, failure, masked } = rest
  const about = { id, requestId, functionName, source, family, attempt, generation, started, duration }
  return {
    ...{ ...about, verdict, failure, masked },
    severity: severityOf(entry),
    loggedErrors: loggedErrors(entry),
    summary: eventSummary(event, family, families),
  }
}

/** Returns a text that is never empty, because it names the link to the invocation. */
function eventSummary(event: string, family: string | undefined, { all }: PlatformFamilies): string {
  const known = all.find(({ name }) => name === family)
  if (known === undefined) return 'an event of no family'
  const other = `an event of the family ${known.name}`
  if (event.length > parsedLimit) return other
  try {
    return known.summarize(JSON.parse(event) as { readonly [name: string]: unknown }) || other
  } catch {
    // Under overload, the log stores a sentence, which is not JSON, instead of the event.
    return other
  }
}
