import { isSame, type Vault } from '@signalbox/platform-runtime/secrets'

/** A sign-in that has begun, until the browser comes back from the provider. */
export interface PendingSignIn {
  /** The key of the provider and its settings. */
  readonly provider: string
  /** The path and the query to which the browser returns. */
  readonly target: string
  readonly verifier: string
  readonly nonce: string
  /** Milliseconds for which the session lasts. */
  readonly timeout: number
  /** The digest of the browser's cookie. */
  readonly browser: string
  /** The time when the sign-in has to be complete, in milliseconds since the epoch. */
  readonly ends: number
}

/** The time that a user has to sign in at the provider, as the service gives it: 15 minutes. */
export const signInTime = 15 * 60_000

/** The longest path with a query to which a browser returns. A longer one loses its query. */
const longestTarget = 2_048

/** Returns the path and the query to which a browser returns after its sign-in. */
export function returnTarget(path: string, query: string): string {
  if (!path.startsWith('/')) return '/'
  const whole = query === '' ? path : `${path}?${query}`
  if (whole.length <= longestTarget) return whole
  return path.length <= longestTarget ? path : '/'
}

/**
 * Returns the `state` of an authorization request: the pending sign-in, encrypted. No other browser can use it, and no
 * other host.
 */
export function sealState(vault: Vault, pending: PendingSignIn, about: string): string {
  return Buffer.from(vault.encrypt(JSON.stringify(pending), about), 'base64').toString('base64url')
}

/**
 * Reads a `state`. Returns undefined when it is not one of this load balancer and host, when another browser got it, and
 * when it has expired.
 * @param browser the digest of the cookie of the browser that brings it
 */
export function openState(
  vault: Vault,
  state: string,
  about: string,
  browser: string | undefined,
  now: number,
): PendingSignIn | undefined {
  const text = vault.decrypt(state, about)
  if (text === undefined || browser === undefined) return undefined
  const pending = JSON.parse(text) as PendingSignIn
  return isSame(pending.browser, browser) && now < pending.ends ? pending : undefined
}
