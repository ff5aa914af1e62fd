import type { DatabaseSync } from 'node:sqlite'
import { brotliDecompressSync } from 'node:zlib'

/** Returns everything that a SQLite database has of its latest invocation, with the compressed part as text. */
export function storedText(database: DatabaseSync): string {
  const row = database.prepare('select * from invocations order by id desc limit 1').get()
  const { rest, ...columns } = row as { readonly rest: Uint8Array | null }
  return [...Object.values(columns), rest === null ? '' : brotliDecompressSync(rest)].join('\n')
}
