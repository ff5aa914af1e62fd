import { createHmac, hkdfSync } from 'node:crypto'
import { generatorPower } from './generator-power.ts'
import { integer, k, N, pad, power, sha256 } from './group.ts'

/** The challenge parameters that a client needs to prove a password. */
export interface PasswordChallenge {
  readonly USER_ID_FOR_SRP: string
  readonly SALT: string
  readonly SRP_B: string
  readonly SECRET_BLOCK: string
}

/** Returns the client side of SRP, for `signalbox sign-in` and for tests in this process. */
export function srpClient(poolId: string, password: string) {
  const a = integer(crypto.getRandomValues(new Uint8Array(32)))
  const A = generatorPower(a)
  const poolName = poolId.slice(poolId.indexOf('_') + 1)
  return {
    SRP_A: A.toString(16),
    /** Returns the challenge responses that prove knowledge of the password. */
    prove({ USER_ID_FOR_SRP: id, SALT, SRP_B, SECRET_BLOCK }: PasswordChallenge) {
      const B = BigInt(`0x${SRP_B}`)
      const u = integer(sha256(pad(A), pad(B)))
      const x = integer(sha256(pad(BigInt(`0x${SALT}`)), sha256(`${poolName}${id}:${password}`)))
      const base = (((B - k * generatorPower(x)) % N) + N) % N
      const key = hkdfSync('sha256', pad(power(base, a + u * x)), pad(u), 'Caldera Derived Key', 16)
      const TIMESTAMP = srpTimestamp(new Date())
      const message = [
        Buffer.from(poolName + id),
        Buffer.from(SECRET_BLOCK, 'base64'),
        Buffer.from(TIMESTAMP),
      ]
      return {
        USERNAME: id,
        PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
        PASSWORD_CLAIM_SIGNATURE: createHmac('sha256', Buffer.from(key))
          .update(Buffer.concat(message))
          .digest('base64'),
        TIMESTAMP,
      }
    },
  }
}

/** Formats a time as SRP clients do, such as `Tue Nov 4 09:05:01 UTC 2025`. */
function srpTimestamp(date: Date): string {
  const [weekday, day, month, year, time] = date.toUTCString().replace(',', '').split(' ')
  return `${weekday} ${month} ${Number(day)} ${time} UTC ${year}`
}
