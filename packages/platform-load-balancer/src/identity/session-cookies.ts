import type { Vault } from '@signalbox/platform-runtime/secrets'
import { setCookie } from './cookies.ts'

/** A user who has signed in. Times are milliseconds since the epoch. */
export interface Session {
  /** The provider and its client. */
  readonly issuer: string
  readonly clientId: string
  /** The provider's claims about the user. */
  readonly claims: { readonly sub: string; readonly [name: string]: unknown }
  readonly accessToken: string
  /** The time when the access token expires. Undefined if the provider does not say. */
  readonly accessEnds: number | undefined
  readonly refreshToken: string | undefined
  /** The time when the user signed in. */
  readonly began: number
  /** The time when the user has to sign in again at the latest. */
  readonly ends: number
}

/** The number of cookies that a session can take. */
const mostCookies = 4

/**
 * The maximum length of the value of one cookie. Clients accept cookies of 4,096 bytes with name and attributes, and a
 * listener accepts a header line of 16 KB, in which a client sends all of them.
 */
const longestValue = 3_800

/** Reads a session from the cookies of a request. `about` has to be that of the session: its provider and its host. */
export function readSession(
  vault: Vault,
  cookies: ReadonlyMap<string, string>,
  name: string,
  about: string,
): Session | undefined {
  const parts: string[] = []
  for (let at = 0; at < mostCookies; at++) {
    const part = cookies.get(`${name}-${at}`)
    if (part === undefined) break
    parts.push(part)
  }
  if (parts.length === 0) return undefined
  const text = vault.decrypt(parts.join(''), about)
  return text === undefined ? undefined : (JSON.parse(text) as Session)
}

/**
 * Returns the `set-cookie` values of a session, and of those that remove cookies of a longer one. Returns undefined for a
 * session that does not fit into the cookies.
 * @param sent the cookies of the request
 */
export function sessionCookies(
  vault: Vault,
  sent: ReadonlyMap<string, string>,
  name: string,
  about: string,
  session: Session,
  { maxAge, secure }: { readonly maxAge: number; readonly secure: boolean },
): readonly string[] | undefined {
  const sealed = Buffer.from(vault.encrypt(JSON.stringify(session), about), 'base64').toString('base64url')
  if (sealed.length > mostCookies * longestValue) return undefined
  return Array.from({ length: mostCookies }, (_, at) => {
    const part = sealed.slice(at * longestValue, (at + 1) * longestValue)
    const cookie = `${name}-${at}`
    if (part !== '') return [setCookie(cookie, part, { maxAge, secure, sameSite: 'Lax' })]
    return sent.has(cookie) ? [setCookie(cookie, '', { maxAge: 0, secure, sameSite: 'Lax' })] : []
  }).flat()
}
