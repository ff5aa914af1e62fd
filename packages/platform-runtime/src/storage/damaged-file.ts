import type { DatabaseSync } from 'node:sqlite'
import { SignalboxError } from '@signalbox/core/base'
import { fileOf } from './database-files.ts'

/** A file of the data directory is not what SQLite has written. */
export class DamagedFileError extends SignalboxError {
  override readonly name = 'DamagedFileError'
  readonly code = 'DAMAGED_FILE'
}

/** What SQLite calls a corrupt file, and one that is no database. */
const damaged: readonly unknown[] = [11, 26]

/** Whether this is what SQLite says of a damaged file. */
function isDamage(error: unknown): error is Error {
  const { errcode } = (error ?? {}) as { readonly errcode?: number }
  // The last eight bits are the kind of an error, and the others say more of it.
  return damaged.includes((errcode ?? 0) & 0xff)
}

/**
 * Makes what works with the databases of one kind. When a file is damaged, the work throws DamagedFileError or rejects
 * with it, which says where the file is, instead of what SQLite says.
 * @param what they hold, such as `The queues`
 * @param remedy a sentence that says what to do
 */
export function damageReporter(
  what: string,
  remedy: string,
): <T>(database: DatabaseSync, work: () => T) => T {
  return (database, work) => {
    const named = (error: unknown): never => {
      if (!isDamage(error)) throw error
      throw new DamagedFileError(`${what} in ${fileOf(database)} are damaged: ${error.message}. ${remedy}`, {
        cause: error,
      })
    }
    try {
      const result = work()
      return result instanceof Promise ? (result.catch(named) as typeof result) : result
    } catch (error) {
      return named(error)
    }
  }
}

/** The same functions, each of which does its work through `through`, such as what `fromFiles` makes. */
export function wrapFunctions<T extends object>(functions: T, through: <R>(work: () => R) => R): T {
  const wrapped = Object.entries(functions).map(([name, value]) => [
    name,
    typeof value === 'function'
      ? (...args: unknown[]) => through(() => value(...args))
      : wrapFunctions(value, through),
  ])
  return Object.fromEntries(wrapped)
}
