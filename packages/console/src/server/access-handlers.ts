import type { ConsoleContext } from '@signalbox/platform-runtime/console'
import type { Handlers } from './handlers.ts'

/** The maximum number of entries in one answer. */
const mostListed = 1000

/** Returns the handler of the route that lists the access log. */
export function accessHandlers({ access }: Pick<ConsoleContext, 'access'>): Pick<Handlers, 'accessLog'> {
  return {
    async accessLog({ query: { result, last = 100, ...filters } }) {
      const most = Math.min(Math.max(last, 1), mostListed)
      const query = { ...filters, refused: result === 'refused', last: most }
      const entries = (await access?.log.read(query)) ?? []
      return entries.toReversed()
    },
  }
}
