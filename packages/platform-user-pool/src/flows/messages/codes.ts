import type { Random } from '@signalbox/platform-runtime'
import { isSame } from '@signalbox/platform-runtime/secrets'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext } from '../../context/engine-context.ts'
import type { CountLimit, Credential, User } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'

/** The purposes of codes. */
export type CodePurpose = 'sign-up' | 'password' | 'email' | 'phone_number'

const hour = 3_600_000

/** How many milliseconds the store keeps an expired code, so that a late attempt gets the error for expired codes. */
const remembered = hour

/**
 * How many milliseconds more than its whole life a code may have left. A store that several platforms share measures the
 * life from the moment of the write, which is later than the moment in which the code was made.
 */
const tolerance = 60_000

/** How many milliseconds codes are valid. */
const lives: { readonly [P in CodePurpose]: number } = {
  'sign-up': 24 * hour,
  password: hour,
  email: 24 * hour,
  phone_number: 24 * hour,
}

/** The rate limits for entering codes, by purpose. */
const tries: { readonly [P in CodePurpose]: CountLimit } = {
  'sign-up': { most: 15, window: hour },
  password: { most: 10, window: hour },
  email: { most: 15, window: hour },
  phone_number: { most: 15, window: hour },
}

/** A code or a temporary password, with its expiry. */
export interface TemporarySecret {
  readonly code: string
  /** The time in milliseconds since the epoch. */
  readonly ends: number
}

/** A code that is stored as a digest. */
export interface NewCode extends TemporarySecret {
  readonly credential: Credential
}

/** Returns a random six-digit code. */
export function sixDigits(random: Random): string {
  for (;;) {
    const [a, b, c] = random(3) as unknown as [number, number, number]
    const value = (a << 16) | (b << 8) | c
    // Numbers of 16,000,000 or more are rejected. Their remainders would make some codes more likely than others.
    if (value < 16_000_000) return String(value % 1_000_000).padStart(6, '0')
  }
}

/** Returns a new code, which replaces the previous one. */
export function newCode(
  { vault, random, clock }: EngineContext,
  pool: PoolSettings,
  { id }: Pick<User, 'id'>,
  purpose: CodePurpose,
  to: string,
): NewCode {
  const code = sixDigits(random)
  const ends = clock.now() + lives[purpose]
  const value = JSON.stringify({ digest: codeDigest(vault, pool, id, purpose, code), to })
  const credential: Credential = {
    kind: 'code',
    id: `${purpose} ${id}`,
    user: id,
    expires: ends + remembered,
    value,
  }
  return { code, ends, credential }
}

/** A correct code, which must be used up in the same change that it allows. */
export interface RightCode {
  readonly use: Pick<Credential, 'kind' | 'id' | 'value'>
  /** The address that the code was sent to. */
  readonly to: string
}

/**
 * Checks a code, and counts the attempt.
 * @param isHidden whether to hide that an account exists. A missing code then causes the same error as a wrong code.
 * @throws UserPoolError for a wrong or expired code, and after too many attempts
 */
export async function checkCode(
  engine: EngineContext,
  pool: PoolSettings,
  { id }: Pick<User, 'id'>,
  purpose: CodePurpose,
  attempt: string,
  isHidden = false,
): Promise<RightCode> {
  const { store, vault, clock } = engine
  const now = clock.now()
  await countTry(engine, pool, id, purpose)
  const found = await store.credential(pool.id, 'code', `${purpose} ${id}`, now)
  if (found === undefined) throw isHidden ? mismatch() : expired()
  const { digest, to } = JSON.parse(found.value) as { digest: string; to: string }
  if (!isSame(digest, codeDigest(vault, pool, id, purpose, attempt))) throw mismatch()
  const left = found.expires - remembered - now
  // A code with much more than its whole life left is from a clock that was ahead.
  if (left <= 0 || left > lives[purpose] + tolerance) throw expired()
  return { use: { kind: 'code', id: found.id, value: found.value }, to }
}

/**
 * Counts an attempt to enter a code for an account or an unknown user name.
 * @throws UserPoolError after too many attempts
 */
async function countTry(
  { store, clock }: EngineContext,
  pool: PoolSettings,
  id: string,
  purpose: CodePurpose,
): Promise<void> {
  if (!(await store.count(pool.id, `try ${purpose} ${id}`, tries[purpose], clock.now()))) throw tooOften()
}

/**
 * Returns the name of the address attribute that a code verifies. A code verifies only the address that it
 * was sent to.
 * @throws UserPoolError when the account now has a different address
 */
export function provedAddress(
  { attributes }: Pick<User, 'attributes'>,
  to: string,
): 'email' | 'phone_number' {
  const proved = (['email', 'phone_number'] as const).find(name => attributes[name] === to)
  if (proved === undefined) throw expired()
  return proved
}

/** Returns the digest that is stored instead of a code. */
export function codeDigest(
  vault: EngineContext['vault'],
  pool: PoolSettings,
  user: string,
  purpose: string,
  code: string,
) {
  return vault.digest(code, `code ${pool.id} ${user} ${purpose}`)
}

export function mismatch(): UserPoolError {
  return new UserPoolError('CodeMismatchException', 'Invalid verification code provided, please try again.')
}

export function expired(): UserPoolError {
  return new UserPoolError('ExpiredCodeException', 'Invalid code provided, please request a code again.')
}

export function tooOften(): UserPoolError {
  return new UserPoolError('LimitExceededException', 'Attempt limit exceeded, please try after some time.')
}
