import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@signalbox/core'
import type { Random } from '../random.ts'
import type { Vault } from '../secrets/vault.ts'
import type { AccessKey } from '../signature/signature-v4.ts'

/** The name of the database in a data directory, and of the folder with the key that seals it. */
export const accessDatabase = 'access'

/** The environment variable that may hold the key that seals secrets: 32 bytes in base64. */
export const accessKeyVariable = 'SIGNALBOX_ACCESS_KEY'

/** A stored key without its secret. Times are milliseconds since the epoch. */
export interface StoredKey {
  readonly id: string
  readonly identity: string
  readonly created: number
  /** When it becomes invalid. Undefined for a key that stays valid. */
  readonly expires: number | undefined
  /** When it was revoked. */
  readonly revoked: number | undefined
}

/**
 * The keys that `signalbox access` makes. A change takes effect at once, in every process that has the database open.
 */
export interface KeyStore {
  /** Creates a key. Its secret is never shown again. */
  readonly add: (identity: string) => AccessKey
  readonly list: () => readonly StoredKey[]
  /** Sets the time when a key becomes invalid. Returns whether the key exists and is not revoked. */
  readonly expire: (id: string, at: number) => boolean
  /** Makes a key invalid and deletes its secret. Returns whether the key exists and was not revoked before. */
  readonly revoke: (id: string) => boolean
  /** Returns the secret and the identity of a valid key. */
  readonly valid: (id: string) => { readonly secret: string; readonly identity: string } | undefined
}

interface Row {
  readonly id: string
  readonly identity: string
  readonly sealed: string | null
  readonly created: number
  readonly expires: number | null
  readonly revoked: number | null
}

/**
 * Opens the keys in a database. A secret is sealed and not hashed, because Signature Version 4 is computed from the
 * secret itself. See docs/decisions/access.md.
 */
export function keyStore(
  database: DatabaseSync,
  vault: Vault,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): KeyStore {
  database.exec('pragma busy_timeout = 5000; pragma journal_mode = wal; pragma secure_delete = on')
  database.exec(`create table if not exists keys (
    id text primary key, identity text not null, sealed text, created integer not null, expires integer, revoked integer
  ) strict`)
  const insert = database.prepare('insert into keys (id, identity, sealed, created) values (?, ?, ?, ?)')
  const select = database.prepare('select * from keys where id = ?')
  const selectAll = database.prepare('select * from keys order by created, id')
  const setExpiry = database.prepare('update keys set expires = ? where id = ? and revoked is null')
  const setRevoked = database.prepare(
    'update keys set revoked = ?, sealed = null where id = ? and revoked is null',
  )
  // The value changes with each commit of another connection.
  const dataVersion = database.prepare('pragma data_version')
  let version: unknown
  let opened = new Map<string, { readonly secret: string; readonly row: Row }>()

  const refresh = () => {
    const { data_version: now } = dataVersion.get() as { readonly data_version: number }
    if (now !== version) opened = new Map()
    version = now
  }

  return {
    add(identity) {
      const id = `SBAK${base32(random(10))}`
      const secret = Buffer.from(random(30)).toString('base64')
      insert.run(id, identity, vault.seal(secret, id), clock.now())
      return { accessKeyId: id, secretAccessKey: secret }
    },
    list: () =>
      (selectAll.all() as unknown as readonly Row[]).map(({ id, identity, created, expires, revoked }) => ({
        id,
        identity,
        created,
        expires: expires ?? undefined,
        revoked: revoked ?? undefined,
      })),
    expire(id, at) {
      opened.delete(id)
      return setExpiry.run(at, id).changes === 1
    },
    revoke(id) {
      opened.delete(id)
      return setRevoked.run(clock.now(), id).changes === 1
    },
    valid(id) {
      refresh()
      let found = opened.get(id)
      if (found === undefined) {
        const row = select.get(id) as unknown as Row | undefined
        const secret = row?.sealed == null ? undefined : vault.open(row.sealed, id)
        if (row === undefined || secret === undefined) return undefined
        found = { secret, row }
        opened.set(id, found)
      }
      const { expires, identity } = found.row
      return expires !== null && clock.now() >= expires ? undefined : { secret: found.secret, identity }
    },
  }
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes in base32: letters and digits of 5 bits each, as in the access keys of AWS. */
function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += letters[(held >> (bits - 5)) & 31]
    held &= 0xff
  }
  return text
}
