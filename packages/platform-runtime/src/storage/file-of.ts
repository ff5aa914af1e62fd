import type { DatabaseSync } from 'node:sqlite'

/** The path of a database's file; empty for one in memory. Can be told of a damaged file, too. */
export function fileOf(database: DatabaseSync): string {
  return String(database.prepare('pragma database_list').get()?.file ?? '')
}
