/** Returns the cookies of a request by name. The first of several with the same name counts. */
export function cookiesOf(rawHeaders: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.toLowerCase() !== 'cookie') continue
    for (const part of rawHeaders[at + 1]!.split(';')) {
      const equals = part.indexOf('=')
      const name = trimmed(part.slice(0, Math.max(equals, 0)))
      if (name !== '' && !found.has(name)) found.set(name, trimmed(part.slice(equals + 1)))
    }
  }
  return found
}

/** Returns a text without the spaces and tabs around it. Other blanks, such as U+00A0, are a part of it, as for browsers. */
function trimmed(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && isBlank(text, from)) from++
  while (to > from && isBlank(text, to - 1)) to--
  return text.slice(from, to)
}

function isBlank(text: string, at: number): boolean {
  return text[at] === ' ' || text[at] === '\t'
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
