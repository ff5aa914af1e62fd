import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { Clock } from '@signalbox/core'
import type { Random } from '@signalbox/platform-runtime'
import type { Vault } from '@signalbox/platform-runtime/secrets'
import { type CryptoKey, importJWK, type JWK } from 'jose'
import { registeredLives } from '../config/agent-client.ts'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { StoredKey, UserPoolStore } from '../store/user-pool-store.ts'

/** The kinds of signed tokens. Each kind has its own keys. */
type TokenUse = StoredKey['use']

interface SigningKey {
  readonly id: string
  readonly key: KeyObject
}

/** The signing keys of all pools. A pool's keys are created when they are first needed. */
export interface SigningKeys {
  readonly current: (pool: PoolSettings, use: TokenUse) => Promise<SigningKey>
  /** Returns the key that verifies a token. Resolves to undefined for an unknown or expired key. */
  readonly verifying: (pool: PoolSettings, id: string) => Promise<CryptoKey | undefined>
  /** Returns the current and the next public keys, and earlier keys whose tokens are still valid. */
  readonly published: (pool: PoolSettings) => Promise<readonly JWK[]>
  /**
   * Replaces the current keys with the next ones, and creates new next keys. Returns the ids of the new current keys.
   */
  readonly rotate: (pool: PoolSettings) => Promise<readonly string[]>
}

interface Key {
  readonly stored: StoredKey
  readonly public: JWK
  readonly signing: KeyObject
  readonly verifying: CryptoKey
}

/** The keys of a pool in memory. */
interface Loaded {
  readonly keys: Promise<readonly Key[]>
  /** The time when the keys have to be read again. */
  readonly until: number
}

/**
 * How many milliseconds keys stay in memory. Platforms that share a database can rotate each other's keys. So they can
 * sign with replaced keys for this long, but not longer.
 */
const fresh = 60_000

const bits = 2048
const uses: readonly TokenUse[] = ['id', 'access']
const make = promisify(generateKeyPair)

export function signingKeys(
  store: Pick<UserPoolStore, 'keys' | 'setKeys'>,
  vault: Vault,
  clock: Clock,
  random: Random,
): SigningKeys {
  const loaded = new Map<string, Loaded>()

  const keysOf = (pool: PoolSettings): Promise<readonly Key[]> => {
    const known = loaded.get(pool.id)
    if (known !== undefined && clock.now() < known.until) return known.keys
    const keys = load(pool, known?.keys).catch(error => {
      if (known === undefined) {
        loaded.delete(pool.id)
        throw error
      }
      // The known keys are published even while the database is away.
      loaded.set(pool.id, known)
      return known.keys
    })
    loaded.set(pool.id, { keys, until: clock.now() + fresh })
    return keys
  }

  const load = async (
    pool: PoolSettings,
    known?: Promise<readonly Key[]> | undefined,
  ): Promise<readonly Key[]> => {
    const stored = await store.keys(pool.id)
    const open = new Map((await known)?.map(key => [key.stored.id, key]))
    if (stored.length > 0)
      return Promise.all(
        stored.map(each => {
          const same = open.get(each.id)
          return same === undefined ? opened(pool, each) : { ...same, stored: each }
        }),
      )
    const created = await Promise.all(
      uses.flatMap(use => [newKey(pool, use, 'current'), newKey(pool, use, 'next')]),
    )
    if (await store.setKeys(pool.id, created, [])) return Promise.all(created.map(each => opened(pool, each)))
    return load(pool)
  }

  const newKey = async (pool: PoolSettings, use: TokenUse, state: StoredKey['state']): Promise<StoredKey> => {
    const { privateKey } = await make('rsa', { modulusLength: bits })
    const id = Buffer.from(random(32)).toString('base64')
    const text = JSON.stringify(privateKey.export({ format: 'jwk' }))
    return {
      id,
      use,
      state,
      key: vault.encrypt(text, about(pool, id)),
      created: clock.now(),
      expires: undefined,
    }
  }

  const opened = async (pool: PoolSettings, stored: StoredKey): Promise<Key> => {
    const text = vault.decrypt(stored.key, about(pool, stored.id))
    if (text === undefined)
      throw new Error(
        `The signing keys of the user pool ${pool.name} were encrypted with another key than this one. Give the platform the key that it had.`,
      )
    const jwk = JSON.parse(text) as JWK & { n: string; e: string }
    const published: JWK = { kty: 'RSA', use: 'sig', alg: 'RS256', kid: stored.id, n: jwk.n, e: jwk.e }
    return {
      stored,
      public: published,
      signing: createPrivateKey({ key: jwk, format: 'jwk' }),
      verifying: (await importJWK(published, 'RS256')) as CryptoKey,
    }
  }

  const isValid = ({ stored: { expires } }: Key) => expires === undefined || expires > clock.now()

  return {
    async current(pool, use) {
      const key = (await keysOf(pool)).find(({ stored }) => stored.use === use && stored.state === 'current')!
      return { id: key.stored.id, key: key.signing }
    },
    async verifying(pool, id) {
      return (await keysOf(pool)).find(key => key.stored.id === id && isValid(key))?.verifying
    },
    async published(pool) {
      return (await keysOf(pool)).filter(isValid).map(key => key.public)
    },
    async rotate(pool) {
      loaded.delete(pool.id)
      const before = (await keysOf(pool)).map(({ stored }) => stored)
      const following = await Promise.all(uses.map(use => newKey(pool, use, 'next')))
      const now = clock.now()
      const longest = Math.max(
        ...pool.clients.map(({ accessLife, idLife }) => Math.max(accessLife, idLife)),
        pool.registration === undefined ? 0 : registeredLives.access,
      )
      const after = before
        .filter(({ expires }) => expires === undefined || expires > now)
        .map((key): StoredKey => {
          if (key.state === 'next') return { ...key, state: 'current' }
          return key.state === 'current' ? { ...key, state: 'retired', expires: now + longest + fresh } : key
        })
      await store.setKeys(
        pool.id,
        [...after, ...following],
        before.map(({ id }) => id),
      )
      loaded.delete(pool.id)
      return (await keysOf(pool)).flatMap(({ stored: { id, state } }) => (state === 'current' ? [id] : []))
    },
  }
}

function about(pool: PoolSettings, id: string): string {
  return `signing key ${pool.id} ${id}`
}
