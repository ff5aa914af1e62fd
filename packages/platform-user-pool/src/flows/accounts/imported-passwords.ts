import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext } from '../../context/engine-context.ts'
import { isHashOf } from '../../hashes/check-hash.ts'
import { type PasswordHash, readHash } from '../../hashes/password-hash.ts'
import { turns } from '../../hashes/turns.ts'
import type { StoredUser, User } from '../../store/user-pool-store.ts'
import { rateExceeded } from '../../user-pool-error.ts'
import { locked } from '../sign-in/subject.ts'
import { encryptedPassword, isPassword, passwordPlace, recognitionOf } from './passwords.ts'

/** How many checks of imported hashes may wait in this process. Each can take a second. */
const mostWaiting = 32

/** Only one hash is checked at a time, because each takes much time and memory. */
const checks = turns(mostWaiting)

/** Returns the stored form of a password hash of another service. The first sign-in with the password replaces it. */
export function encryptedHash(
  { vault }: Pick<EngineContext, 'vault'>,
  pool: PoolSettings,
  user: Pick<User, 'id'>,
  hash: string,
): string {
  return vault.encrypt(JSON.stringify({ hash }), passwordPlace(pool, user))
}

/**
 * Returns the hash that was imported with an account, if the account still has it. Returns what is wrong with a hash that
 * this platform cannot check, such as one of Argon2 on an older version of Node.js than that which imported it.
 */
function importedHash(
  { vault }: Pick<EngineContext, 'vault'>,
  pool: PoolSettings,
  { id, password }: User,
): PasswordHash | string | undefined {
  const text = password === undefined ? undefined : vault.decrypt(password, passwordPlace(pool, { id }))
  const { hash } = text === undefined ? {} : (JSON.parse(text) as { readonly hash?: string })
  return hash === undefined ? undefined : readHash(hash)
}

/** Returns whether an account has a password that this platform can check. */
export function hasPassword(engine: Pick<EngineContext, 'vault'>, pool: PoolSettings, user: User): boolean {
  return (
    recognitionOf(engine, pool, user) !== undefined || typeof importedHash(engine, pool, user) === 'object'
  )
}

/**
 * Checks a password against the hash that was imported with an account. A right one replaces the hash by what the
 * platform stores for other accounts, so that the account can use every flow from then on.
 * @param countWrong counts a wrong password. The next check begins after that, so that it finds a locked account.
 * @returns the account after that. Undefined if the password is wrong and was counted, and, without counting, if this
 * platform cannot check the hash
 * @throws UserPoolError when the account is locked, and when too many checks are waiting
 */
export async function verifiedImport(
  engine: EngineContext,
  pool: PoolSettings,
  { id }: StoredUser,
  password: string,
  countWrong: () => Promise<void>,
): Promise<StoredUser | undefined> {
  const { store, clock } = engine
  const key = `password ${id}`
  const check = async (): Promise<StoredUser | undefined> => {
    // Guesses that were sent at once have been counted in the meantime, or one of them was right.
    if (await store.isLocked(pool.id, key, clock.now())) throw locked()
    const latest = await store.user(pool.id, id)
    const hash = latest && importedHash(engine, pool, latest)
    if (typeof hash === 'string') {
      await noticeUnreadable(engine, pool, hash)
      return undefined
    }
    if (latest === undefined || hash === undefined || !(await isHashOf(hash, password))) {
      const recognition = latest && recognitionOf(engine, pool, latest)
      if (recognition !== undefined && isPassword(pool, recognition, password)) return latest
      await countWrong()
      return undefined
    }
    const { revision: was, ...user } = latest
    const isKept = hasOthers(hash, password)
    const proved = isKept ? user.password : encryptedPassword(engine, pool, user, password)
    const refusal = await store.change({
      pool: pool.id,
      now: clock.now(),
      users: isKept ? [] : [{ user: { ...user, password: proved }, was }],
      attempt: { key, isRight: true },
    })
    const after = refusal === undefined ? await store.user(pool.id, id) : undefined
    // Otherwise, the account was changed at the same time, perhaps by the same sign-in at another platform, or by an
    // administrator who has set another password.
    return after?.password === proved ? after : check()
  }
  const checked = checks.take(check)
  if (checked === undefined) throw rateExceeded(mostWaiting)
  return checked
}

/**
 * Returns whether other passwords have the same hash. bcrypt uses 72 bytes of a password, and repeats a shorter one after
 * a zero byte. A password that is one of several must not become the only one.
 */
function hasOthers({ algorithm }: PasswordHash, password: string): boolean {
  return algorithm === 'BCRYPT' && (Buffer.byteLength(password) > 72 || password.includes('\0'))
}

const day = 24 * 3_600_000

/** Tells the operator, once a day, that a pool has hashes that this platform cannot check. */
async function noticeUnreadable(
  { store, clock, notice }: EngineContext,
  pool: PoolSettings,
  problem: string,
): Promise<void> {
  if (await store.count(pool.id, 'unreadable hash', { most: 1, window: day }, clock.now()))
    notice(
      `The user pool ${pool.name} has an imported password hash that cannot be checked, so that its user cannot sign in with a password: ${problem}`,
    )
}
