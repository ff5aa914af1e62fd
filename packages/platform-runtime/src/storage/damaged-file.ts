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

/** Reports damage of a database file with a DamagedFileError that names the file, instead of SQLite's error. */
export interface DamageReporter {
  /** Runs work on a database. */
  readonly run: <T>(database: DatabaseSync, work: () => T) => T
  /** Opens a store in a database. Its functions report damage, too. */
  readonly open: <T extends object>(database: DatabaseSync, store: () => T) => T
}

/**
 * Returns a reporter for a kind of file.
 * @param what the contents of the file, such as `The queues`
 * @param remedy a sentence that says what to do
 */
export function damageReporter(what: string, remedy: string): DamageReporter {
  const naming = (database: DatabaseSync) => (error: unknown) => {
    if (!isDamage(error)) throw error
    throw new DamagedFileError(`${what} in ${fileOf(database)} are damaged: ${error.message}. ${remedy}`, {
      cause: error,
    })
  }
  return {
    run: (database, work) => translated(work, naming(database))(),
    open(database, store) {
      const translate = naming(database)
      return wrapFunctions(translated(store, translate)(), translate)
    },
  }
}

/** Returns the same functions, wrapped so that `translate` gets what they throw or reject with, and throws another error. */
export function wrapFunctions<T extends object>(functions: T, translate: (error: unknown) => never): T {
  const wrapped = Object.entries(functions).map(([name, value]) => [
    name,
    typeof value === 'function' ? translated(value, translate) : wrapFunctions(value, translate),
  ])
  return Object.fromEntries(wrapped)
}

function translated<In extends readonly unknown[], Out>(
  work: (...args: In) => Out,
  translate: (error: unknown) => never,
): (...args: In) => Out {
  return (...args) => {
    try {
      const result = work(...args)
      return result instanceof Promise ? (result.catch(translate) as typeof result) : result
    } catch (error) {
      return translate(error)
    }
  }
}
