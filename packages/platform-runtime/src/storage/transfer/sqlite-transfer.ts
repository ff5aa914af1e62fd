import type { DatabaseSync } from 'node:sqlite'
import { damageReporter } from '../damaged-file.ts'
import { fileOf } from '../database-files.ts'
import { transactions } from '../transactions.ts'
import type { RecordKind, Transfer, TransferRecord, TransferValue } from './transfer.ts'

/** Table names by kind of record. The table of a kind that is not listed has the name of the kind. */
type SqliteTables = { readonly [kind: string]: string }

const damage = damageReporter(
  'The records',
  'Restore a copy of the file, or move it away to go on without them.',
)

/**
 * Returns the records of a store in a SQLite database, whose columns have the names of the fields.
 * @param lay prepares the database first
 * @throws DamagedFileError, also when the records are read or written
 */
export function sqliteTransfer(
  database: DatabaseSync,
  lay: (database: DatabaseSync) => void,
  tables: SqliteTables = {},
): Transfer {
  return damage.open(database, () => records(database, lay, tables))
}

function records(
  database: DatabaseSync,
  lay: (database: DatabaseSync) => void,
  tables: SqliteTables,
): Transfer {
  lay(database)
  const inTransaction = transactions(
    database,
    options => new Error(`Nothing more can be written to ${fileOf(database)}: the disk is full.`, options),
  )
  const tableOf = ({ name }: RecordKind) => quoted(tables[name] ?? name)
  return {
    async read(kind, after, limit) {
      const key = kind.key.map(quoted).join(', ')
      const where = after === undefined ? '' : `where (${key}) > (${kind.key.map(() => '?').join(', ')})`
      return database
        .prepare(
          `select ${[...kind.key, ...kind.fields].map(quoted).join(', ')} from ${tableOf(kind)} ${where} order by ${key} limit ?`,
        )
        .all(...(after ?? []), limit)
        .map(withoutNul)
    },
    async write(kind, records) {
      const fields = [...kind.key, ...kind.fields]
      const insert = database.prepare(
        `insert or ignore into ${tableOf(kind)} (${fields.map(quoted).join(', ')}) values (${fields.map(() => '?').join(', ')})`,
      )
      inTransaction(() => {
        for (const record of records) insert.run(...fields.map(field => record[field]!))
      })
    },
    finish: async () => {},
    close: async () => database.close(),
  }
}

const quoted = (name: string) => `"${name}"`

/** Replaces the NUL characters in strings, because not every engine can store them. */
function withoutNul(row: object): TransferRecord {
  return Object.fromEntries(
    Object.entries(row as TransferRecord).map(([field, value]): [string, TransferValue] => [
      field,
      typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value,
    ]),
  )
}
