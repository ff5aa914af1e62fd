import { createHmac } from 'node:crypto'
import { isSame } from '@signalbox/platform-runtime/secrets'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext } from '../../context/engine-context.ts'
import type { Credential, User } from '../../store/user-pool-store.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const secretSize = 32
/** How long an authenticator shows a code, in milliseconds. */
const step = 30_000
const digits = 6

/** Returns a new secret for an authenticator, in base32 (RFC 4648, section 6) without padding. */
export function newTotpSecret({ random }: Pick<EngineContext, 'random'>): string {
  const bits = Array.from(random(secretSize), byte => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map(five => letters[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** Returns the code that an authenticator shows at a certain time (RFC 6238, with SHA-1 and six digits). */
export function totpAt(secret: string, time: number): string {
  const bits = Array.from(secret, letter => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(time / step)))
  const digest = createHmac('sha1', key).update(counter).digest()
  const value = digest.readUInt32BE(digest.at(-1)! & 0xf) & 0x7fffffff
  return String(value % 10 ** digits).padStart(digits, '0')
}

/**
 * Checks the code of an authenticator. Codes of the current, the previous and the next step are correct. The caller
 * must include the result in the change that the code allows, so that the code cannot be used again. Returns undefined
 * for a wrong code.
 */
export function checkTotp(
  { clock, machineClock }: Pick<EngineContext, 'clock' | 'machineClock'>,
  { id }: Pick<User, 'id'>,
  secret: string,
  code: string,
): Credential | undefined {
  const now = machineClock.wall()
  const time = [now, now - step, now + step].find(each => isSame(totpAt(secret, each), code))
  if (time === undefined) return undefined
  return {
    kind: 'spent',
    id: `totp ${id} ${Math.floor(time / step)}`,
    user: id,
    expires: clock.now() + 3 * step,
    value: '',
  }
}

export function encryptedTotp(
  { vault }: Pick<EngineContext, 'vault'>,
  pool: PoolSettings,
  { id }: Pick<User, 'id'>,
  secret: string,
): string {
  return vault.encrypt(secret, `totp ${pool.id} ${id}`)
}

/** Returns the secret of an account's authenticator, or undefined if the account has none. */
export function decryptedTotp(
  { vault }: Pick<EngineContext, 'vault'>,
  pool: PoolSettings,
  { id }: Pick<User, 'id'>,
  encrypted: string | undefined,
): string | undefined {
  return encrypted === undefined ? undefined : vault.decrypt(encrypted, `totp ${pool.id} ${id}`)
}
