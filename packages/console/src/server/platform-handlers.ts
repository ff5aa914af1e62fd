import type { ConsoleContext } from '@signalbox/platform-runtime/console'
import type { Handlers } from './handlers.ts'

/** Returns the handler of the route that lists the platforms that share a storage. */
export function platformHandlers({
  platforms,
}: Pick<ConsoleContext, 'platforms'>): Pick<Handlers, 'platforms'> {
  return {
    platforms: async () => ({ isShared: platforms !== undefined, platforms: (await platforms?.()) ?? [] }),
  }
}
