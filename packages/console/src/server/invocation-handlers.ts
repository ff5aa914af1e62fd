import { isEventOmitted } from '@signalbox/platform-runtime'
import type { ConsoleContext } from '@signalbox/platform-runtime/console'
import { found } from './api-error.ts'
import type { Handlers } from './handlers.ts'
import { summaryOf } from './summary.ts'

/** The largest page of the list. */
const mostListed = 200

/** What the console answers about invocations. */
export function invocationHandlers({
  invocationLog,
  families,
}: ConsoleContext): Pick<Handlers, 'invocations' | 'invocation'> {
  return {
    async invocations({ query }) {
      const { function: functions, source, family, verdict, before, last = 50, ...rest } = query
      const known = await families()
      const page = await invocationLog.search({
        ...rest,
        ...{ functions, sources: source, families: family, verdicts: verdict, before },
        last: Math.min(last, mostListed),
      })
      return {
        invocations: page.entries.map(entry => summaryOf(entry, known)),
        before: page.before,
      }
    },

    async invocation({ params }) {
      const entry = found(await invocationLog.get(Number(params.id)), `invocation #${params.id}`)
      const { event, payload, logs } = entry
      return {
        invocation: summaryOf(entry, await families()),
        ...{ event, payload, logs, isEventOmitted: isEventOmitted(event) },
        ...{ eventProblems: [], payloadProblems: [], ledFrom: [], ledTo: [], mails: [] },
      }
    },
  }
}
