import type { InvocationLogEntry } from '@signalbox/platform-runtime'
import { type ConsoleContext, passes } from '@signalbox/platform-runtime/console'

/**
 * Returns the invocation log for a visitor who may only read. A search does not find what is hidden.
 * @param readable returns an entry as the visitor sees it: the entry itself if nothing is hidden
 */
export function readableLog(
  invocationLog: ConsoleContext['invocationLog'],
  readable: (entry: InvocationLogEntry) => InvocationLogEntry,
): ConsoleContext['invocationLog'] {
  return {
    async get(id) {
      const found = await invocationLog.get(id)
      return found && readable(found)
    },
    async search(search) {
      const { entries, before } = await invocationLog.search(search)
      const shown = entries.map(readable)
      return { entries: shown.filter((each, at) => each === entries[at] || passes(each, search)), before }
    },
    trace: async traceId => (await invocationLog.trace(traceId)).map(readable),
    scan: (span, visit) => invocationLog.scan(span, visit),
  }
}
