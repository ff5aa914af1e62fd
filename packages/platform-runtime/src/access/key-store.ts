import type { Clock } from '@signalbox/core'
import type { Random } from '../random.ts'
import type { Vault } from '../secrets/vault.ts'
import type { AccessKey } from '../signature/signature-v4.ts'
import type { KeyTable, SealedKey, StoredKey } from './access-tables.ts'

/** The access keys that the command `signalbox access` creates. */
export interface KeyStore {
  /** Creates a key. Its secret is never shown again. */
  readonly add: (identity: string) => Promise<AccessKey>
  readonly list: () => Promise<readonly StoredKey[]>
  /** Sets the time when a key becomes invalid. Returns whether the key exists and is not revoked. */
  readonly expire: (id: string, at: number) => Promise<boolean>
  /** Makes a key invalid and deletes its secret. Returns whether the key exists and was not revoked before. */
  readonly revoke: (id: string) => Promise<boolean>
  /** Returns the secret and the identity of a valid key. */
  readonly valid: (id: string) => { readonly secret: string; readonly identity: string } | undefined
}

/**
 * Opens the store of the keys in a table. Secrets are encrypted instead of hashed, because Signature Version 4 is
 * computed from the secret itself. See docs/decisions/listeners-and-limits.md#access.
 */
export function keyStore(
  table: KeyTable,
  vault: Vault,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): KeyStore {
  const opened = new WeakMap<SealedKey, string>()

  return {
    async add(identity) {
      const id = `SBAK${base32(random(10))}`
      const secret = Buffer.from(random(30)).toString('base64')
      await table.insert({ id, identity, sealed: vault.encrypt(secret, id), created: clock.wall() })
      return { accessKeyId: id, secretAccessKey: secret }
    },
    list: table.list,
    expire: table.expire,
    revoke: id => table.revoke(id, clock.wall()),
    valid(id) {
      const key = table.find(id)
      if (key === undefined || (key.expires !== undefined && clock.wall() >= key.expires)) return undefined
      const secret = opened.get(key) ?? vault.decrypt(key.sealed, id)
      if (secret === undefined) return undefined
      opened.set(key, secret)
      return { secret, identity: key.identity }
    },
  }
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes in base32, with 5 bits for each character, as in AWS access keys. */
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
