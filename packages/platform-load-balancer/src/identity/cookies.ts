/** Returns the cookies of a request by name. The first of several with the same name counts. */
export function cookiesOf(rawHeaders: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.toLowerCase() !== 'cookie') continue
    for (const part of rawHeaders[at + 1]!.split(';')) {
      const equals = part.indexOf('=')
      const name = part.slice(0, Math.max(equals, 0)).trim()
      if (name !== '' && !found.has(name)) found.set(name, part.slice(equals + 1).trim())
    }
  }
  return found
}

/** The attributes of a cookie that the load balancer sets. */
export interface CookieAttributes {
  /** Seconds for which a client keeps the cookie. 0 removes it. */
  readonly maxAge: number
  /** Whether clients send the cookie over https alone. */
  readonly secure: boolean
  readonly sameSite?: 'Lax' | 'None'
  /** Whether scripts of a page cannot read the cookie. Default true. */
  readonly httpOnly?: boolean
}

/** Returns the value of a `set-cookie` header. */
export function setCookie(
  name: string,
  value: string,
  { maxAge, secure, sameSite, httpOnly = true }: CookieAttributes,
): string {
  return [
    `${name}=${value}`,
    'Path=/',
    `Max-Age=${maxAge}`,
    ...(secure ? ['Secure'] : []),
    ...(httpOnly ? ['HttpOnly'] : []),
    ...(sameSite === undefined ? [] : [`SameSite=${sameSite}`]),
  ].join('; ')
}
