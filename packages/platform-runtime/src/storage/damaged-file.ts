import type { DatabaseSync } from 'node:sqlite'
import { SignalboxError } from '@signalbox/core/base'
import { fileOf } from './database-files.ts'

/** Reports that a file of the data directory is damaged. */
export class DamagedFileError extends SignalboxError {
  override readonly name = 'DamagedFileError'
  readonly code = 'DAMAGED_FILE'
}

/** SQLite's codes for a corrupt file, and for a file that is not a database. */
const damaged: readonly unknown[] = [11, 26]

/** Returns whether an error is SQLite's error for a damaged file. */
function isDamage(error: unknown): error is Error {
  const { errcode } = (error ?? {}) as { readonly errcode?: number }
  // The low eight bits of a code give the kind of the error, and the other bits give details.
  return damaged.includes((errcode ?? 0) & 0xff)
}

/**
 * Returns a function that runs work on a database. If the file is damaged, that function throws or rejects with a
 * DamagedFileError that names the file, instead of SQLite's error.
 * @param what the contents of the file, such as `The queues`
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

/** Returns the same functions, wrapped so that `through` runs each call, as a damage reporter does. */
export function wrapFunctions<T extends object>(functions: T, through: <R>(work: () => R) => R): T {
  const wrapped = Object.entries(functions).map(([name, value]) => [
    name,
    typeof value === 'function'
      ? (...args: unknown[]) => through(() => value(...args))
      : wrapFunctions(value, through),
  ])
  return Object.fromEntries(wrapped)
}
