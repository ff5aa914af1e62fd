import type { Clock } from '@signalbox/core'
import { type ConsoleSession, type SessionTable, sessionLimits } from './session-storage.ts'

/** Keeps links and sessions in the memory of this process. */
export function memorySessionTable(clock: Clock): SessionTable {
  const links = new Set<string>()
  const open = new Map<string, { readonly session: ConsoleSession; used: number }>()
  const hasEnded = ({ used }: { readonly used: number }) => clock.now() - used > sessionLimits.idle

  return {
    async addLink(digest) {
      links.add(digest)
      for (const oldest of links) {
        if (links.size <= sessionLimits.links) break
        links.delete(oldest)
      }
    },
    useLink: async digest => links.delete(digest),
    async begin(digest, session) {
      for (const [key, each] of open) if (hasEnded(each)) open.delete(key)
      open.set(digest, { session, used: clock.now() })
    },
    async find(digest) {
      const found = open.get(digest)
      if (found === undefined || hasEnded(found)) return undefined
      found.used = clock.now()
      return found.session
    },
    async end(digest) {
      open.delete(digest)
    },
  }
}
