import type { RecordKind, Transfer, TransferRecord } from '@signalbox/platform-runtime/storage'
import pg from 'pg'
import type { Database } from '../database.ts'

/** Describes how a table stores one kind of record. Columns that are not listed here have the names of their fields. */
export interface RecordTable {
  readonly table?: string
  /** The column names that differ from the field names, by field. */
  readonly columns?: { readonly [field: string]: string }
  /** The fields that are booleans in PostgreSQL but numbers in other stores. */
  readonly booleans?: readonly string[]
  /** Columns that exist only in PostgreSQL, with their values in copied rows. */
  readonly others?: {
    readonly [column: string]: string | number | boolean | ((record: TransferRecord) => string)
  }
  /** The column that the database numbers automatically. */
  readonly numbered?: string
  /** A sequence, and the column that contains its numbers. */
  readonly sequence?: readonly [name: string, column: string]
}

/** Returns access to the records of a PostgreSQL store, by kind. */
export function postgresTransfer(
  { query }: Database,
  tables: { readonly [kind: string]: RecordTable },
): Transfer {
  const of = ({ name }: RecordKind): RecordTable => tables[name] ?? {}
  const tableOf = (kind: RecordKind) => pg.escapeIdentifier(of(kind).table ?? kind.name)
  const columnOf = (kind: RecordKind, field: string) =>
    pg.escapeIdentifier(of(kind).columns?.[field] ?? field)
  return {
    read(kind, after, limit) {
      const selected = [...kind.key, ...kind.fields].map(field => {
        const type = of(kind).booleans?.includes(field) ? '::integer' : ''
        return `${columnOf(kind, field)}${type} as ${pg.escapeIdentifier(field)}`
      })
      const key = kind.key.map(field => columnOf(kind, field)).join(', ')
      const values = [...(after ?? []), limit]
      const where = after === undefined ? '' : `where (${key}) > (${after.map((_, at) => `$${at + 1}`)})`
      return query<TransferRecord>(
        `select ${selected} from ${tableOf(kind)} ${where} order by ${key} limit $${values.length}`,
        values,
      )
    },
    async write(kind, records) {
      const fields = [...kind.key, ...kind.fields]
      const others = Object.entries(of(kind).others ?? {})
      const values: unknown[] = []
      const rows = records.map(record => {
        values.push(
          ...fields.map(field => record[field]),
          ...others.map(([, value]) => (typeof value === 'function' ? value(record) : value)),
        )
        const width = fields.length + others.length
        return `(${Array.from({ length: width }, (_, at) => `$${values.length - width + at + 1}`)})`
      })
      const columns = [
        ...fields.map(field => columnOf(kind, field)),
        ...others.map(([column]) => pg.escapeIdentifier(column)),
      ]
      await query(
        `insert into ${tableOf(kind)} (${columns}) overriding system value values ${rows} on conflict do nothing`,
        values,
      )
    },
    async finish() {
      for (const [kind, { table = kind, numbered, sequence }] of Object.entries(tables)) {
        const next = (name: string, column: string) =>
          query(
            `select setval(${name}, most) from (select max(${pg.escapeIdentifier(column)}) as most from ${pg.escapeIdentifier(table)}) m where most > 0`,
          )
        if (numbered !== undefined)
          await next(
            `pg_get_serial_sequence(${pg.escapeLiteral(table)}, ${pg.escapeLiteral(numbered)})`,
            numbered,
          )
        if (sequence !== undefined) await next(pg.escapeLiteral(sequence[0]), sequence[1])
      }
    },
    close: async () => {},
  }
}
