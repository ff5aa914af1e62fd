import { isSame } from '@signalbox/platform-runtime/secrets'
import { isLeaked } from '../../config/takeover-config.ts'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext } from '../../context/engine-context.ts'
import { makeVerifier, type Verifier, verifierOf } from '../../srp/verifier.ts'
import type { User } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { normalized } from '../../users/attributes.ts'

/** The maximum number of characters in a password. */
const passwordLimit = 256

/**
 * Checks a new password.
 * @throws UserPoolError for a password that breaks the pool's policy, or is known from leaks
 */
export function refuseWeakPassword({ password: policy, takeover }: PoolSettings, password: string): void {
  const wrong =
    password.length < policy.min
      ? 'Password not long enough'
      : policy.lower && !/\p{Ll}/u.test(password)
        ? 'Password must have lowercase characters'
        : policy.upper && !/\p{Lu}/u.test(password)
          ? 'Password must have uppercase characters'
          : policy.digits && !/\d/.test(password)
            ? 'Password must have numeric characters'
            : policy.symbols && !/[^\p{L}\p{N}\s]|[^\s]\s+[^\s]/u.test(password)
              ? 'Password must have symbol characters'
              : undefined
  if (wrong !== undefined)
    throw new UserPoolError('InvalidPasswordException', `Password did not conform with policy: ${wrong}`)
  if (isLeaked(takeover, password))
    throw new UserPoolError(
      'InvalidPasswordException',
      'Password did not conform with policy: Password is in a list of passwords that others know',
    )
  if (password.length > passwordLimit)
    throw new UserPoolError(
      'InvalidPasswordException',
      `Password did not conform with policy: Password has more than ${passwordLimit} characters`,
    )
}

/**
 * Returns the stored form of an account's password. The stored form works only for this account. Its owner is the
 * normalized user name, because clients receive the owner before they prove anything, and must not learn the original
 * spelling of the name.
 */
export function encryptedPassword(
  { vault, random }: Pick<EngineContext, 'vault' | 'random'>,
  pool: PoolSettings,
  { id, name }: Pick<User, 'id' | 'name'>,
  password: string,
): string {
  const owner = normalized(name)
  const verifier = makeVerifier({ poolName: pool.poolName, userName: owner }, password, random)
  return vault.encrypt(JSON.stringify({ ...verifier, owner }), passwordPlace(pool, { id }))
}

/** Returns what the stored form of a password is bound to. */
export function passwordPlace(pool: PoolSettings, { id }: Pick<User, 'id'>): string {
  return `password ${pool.id} ${id}`
}

/** The data for checking a password. */
export interface Recognition {
  /** The user name that clients use in the SRP computation. */
  readonly owner: string
  readonly salt: string
  readonly verifier: bigint
}

/**
 * Returns the data for checking an account's password, or undefined if the account has no password, or has only the hash
 * with which it was imported.
 */
export function recognitionOf(
  { vault }: Pick<EngineContext, 'vault'>,
  pool: PoolSettings,
  { id, name, password }: User,
): Recognition | undefined {
  const text = password === undefined ? undefined : vault.decrypt(password, passwordPlace(pool, { id }))
  if (text === undefined) return undefined
  // Verifiers from earlier versions have no owner field: they were computed with the user name in its
  // original spelling.
  const stored = JSON.parse(text) as Partial<Verifier> & { readonly owner?: string }
  const { salt, verifier, owner = name } = stored
  if (salt === undefined || verifier === undefined) return undefined
  return { owner, salt, verifier: BigInt(`0x${verifier}`) }
}

/**
 * Returns made-up recognition data for an unknown user name. The data matches no password, and never changes for a
 * name.
 * @param owner the user name that clients use in the SRP computation
 */
export function feignedRecognition(
  { vault }: Pick<EngineContext, 'vault'>,
  pool: PoolSettings,
  name: string,
  owner: string,
): Recognition {
  const bytes = vault.derive(`${pool.id}|${name}`, 'feigned password', 16 + 384)
  if (bytes[0] === 0) bytes[0] = 1
  return {
    owner,
    salt: bytes.subarray(0, 16).toString('hex'),
    verifier: BigInt(`0x${bytes.subarray(16).toString('hex')}`),
  }
}

/** Returns whether a password matches the recognition data. Takes the same time in either case. */
export function isPassword(
  pool: PoolSettings,
  { owner, salt, verifier }: Recognition,
  password: string,
): boolean {
  const attempt = verifierOf({ poolName: pool.poolName, userName: owner }, password, salt)
  return isSame(attempt.toString(16), verifier.toString(16))
}
