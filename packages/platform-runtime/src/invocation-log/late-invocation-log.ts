import type { NewInvocationLogEntry } from './entry.ts'
import type { InvocationLog, InvocationLogOptions } from './invocation-log.ts'

/** The maximum number of entries that wait until their log is open. */
const waitingLimit = 1000

/**
 * Returns a log that is opened in its storage engine at the first use. Entries wait until the log is open, and are lost
 * if it cannot be opened.
 */
export function lateInvocationLog(
  open: (options: InvocationLogOptions) => Promise<InvocationLog>,
  options: InvocationLogOptions,
): InvocationLog {
  const watchers = new Map<object, (log: InvocationLog) => void>()
  let waiting: NewInvocationLogEntry[] = []
  let opening: Promise<InvocationLog> | undefined
  let opened: InvocationLog | undefined
  let closed = false

  const later = () => {
    if (closed) throw new Error('The invocation log is closed: its platform has stopped.')
    opening ??= open(options).then(
      log => {
        opened = log
        for (const watch of watchers.values()) watch(log)
        for (const entry of waiting) log.append(entry)
        waiting = []
        return log
      },
      error => {
        opening = undefined
        if (waiting.length > 0)
          options.notice(
            `The invocation log cannot be written, and misses entries: ${(error as Error).message}`,
          )
        waiting = []
        throw error
      },
    )
    return opening
  }

  return {
    append(entry) {
      if (opened !== undefined) return opened.append(entry)
      if (closed || waiting.length >= waitingLimit) return
      waiting.push(entry)
      later().catch(() => {})
    },
    list: async query => (await later()).list(query),
    get: async id => (await later()).get(id),
    search: async search => (await later()).search(search),
    trace: async traceId => (await later()).trace(traceId),
    scan: async (span, visit) => (await later()).scan(span, visit),
    flush: async () => (await later()).flush(),
    watch(onWritten) {
      if (opened !== undefined) return opened.watch(onWritten)
      const key = {}
      let end = () => {}
      watchers.set(key, log => {
        end = log.watch(onWritten)
      })
      return () => {
        watchers.delete(key)
        end()
      }
    },
    async close() {
      closed = true
      const log = await opening?.catch(() => undefined)
      await log?.close()
    },
  }
}
