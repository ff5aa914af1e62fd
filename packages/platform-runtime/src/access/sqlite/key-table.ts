import type { DatabaseSync } from 'node:sqlite'
import { damageReporter } from '../../storage/damaged-file.ts'
import { transactions } from '../../storage/transactions.ts'
import type { KeyTable, SealedKey } from '../access-tables.ts'

interface Row {
  readonly id: string
  readonly identity: string
  readonly sealed: string | null
  readonly created: number
  readonly expires: number | null
  readonly revoked: number | null
}

const damage = damageReporter(
  'The access keys',
  'Restore a copy of the file, or move it away and make new keys with `signalbox access add`.',
)

/**
 * Opens the table of keys in a database file. Several processes can use the file at the same time.
 * @throws DamagedFileError, also when the table is used
 */
export function keyTable(database: DatabaseSync): KeyTable {
  return damage.open(database, () => openKeyTable(database))
}

function openKeyTable(database: DatabaseSync): KeyTable {
  database.exec('pragma busy_timeout = 5000; pragma journal_mode = wal; pragma secure_delete = on')
  database.exec(`create table if not exists keys (
    id text primary key, identity text not null, sealed text, created integer not null, expires integer, revoked integer
  ) strict`)
  // A full disk must not stop an operator who revokes or replaces a key.
  const inTransaction = transactions(
    database,
    options => new Error('The access keys cannot be changed: the disk is full.', options),
  )
  const write = (work: () => { readonly changes: number | bigint }): boolean =>
    inTransaction(work, 'essential').changes === 1
  const insert = database.prepare('insert into keys (id, identity, sealed, created) values (?, ?, ?, ?)')
  const select = database.prepare('select * from keys where id = ?')
  const selectAll = database.prepare('select * from keys order by created, id')
  const setExpiry = database.prepare('update keys set expires = ? where id = ? and revoked is null')
  const setRevoked = database.prepare(
    'update keys set revoked = ?, sealed = null where id = ? and revoked is null',
  )
  // `data_version` changes whenever another connection commits.
  const dataVersion = database.prepare('pragma data_version')
  let version: unknown
  let found = new Map<string, SealedKey>()

  return {
    async insert({ id, identity, sealed, created }) {
      write(() => insert.run(id, identity, sealed, created))
    },
    list: async () =>
      (selectAll.all() as unknown as readonly Row[]).map(({ id, identity, created, expires, revoked }) => ({
        ...{ id, identity, created },
        expires: expires ?? undefined,
        revoked: revoked ?? undefined,
      })),
    async expire(id, at) {
      found.delete(id)
      return write(() => setExpiry.run(at, id))
    },
    async revoke(id, at) {
      found.delete(id)
      return write(() => setRevoked.run(at, id))
    },
    find(id) {
      const { data_version: now } = dataVersion.get() as { readonly data_version: number }
      if (now !== version) found = new Map()
      version = now
      const known = found.get(id)
      if (known !== undefined) return known
      const row = select.get(id) as unknown as Row | undefined
      if (row === undefined || row.sealed === null) return undefined
      const { identity, sealed, created, expires } = row
      const key = { id, identity, sealed, created, expires: expires ?? undefined }
      found.set(id, key)
      return key
    },
  }
}
