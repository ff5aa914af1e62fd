import type { DatabaseSync } from 'node:sqlite'

/**
 * Milliseconds between two checks for changes by another process. This is real time, because the other
 * process has its own clock.
 */
const interval = 500

/**
 * Watches a database for changes by other processes. Calls a function after each change, until the returned function is
 * called.
 */
export function versionWatch(database: DatabaseSync): (changed: () => void) => () => void {
  // SQLite counts the changes of other connections: https://www.sqlite.org/pragma.html#pragma_data_version
  const version = database.prepare('pragma data_version')
  const current = () => Number(version.get()!.data_version)
  return changed => {
    let seen = current()
    const look = () => {
      try {
        const now = current()
        if (now !== seen) changed()
        seen = now
      } catch {
        // The next operation on the file reports the error.
      }
    }
    const timer = setInterval(look, interval).unref()
    return () => clearInterval(timer)
  }
}
