/** Cookies by name. */
export interface Cookies {
  readonly [name: string]: string
}

/**
 * Returns the cookies in `cookie` headers. It keeps only the first of several cookies with the same name, because
 * browsers send the cookie with the most specific path first (RFC 6265, 5.4). Values are percent-decoded where
 * possible, because `withCookie` encodes them.
 */
export function parseCookies(headers: readonly string[]): Cookies {
  const cookies: Record<string, string> = Object.create(null)
  for (const header of headers) readPairs(header, cookies)
  return cookies
}

// Adds the cookies of a header to `cookies`. It does not split the header, because a client can send a header of any
// length.
function readPairs(header: string, cookies: Record<string, string>): void {
  let equals = header.indexOf('=')
  for (let start = 0; start < header.length && equals >= 0; ) {
    const semicolon = header.indexOf(';', start)
    const end = semicolon < 0 ? header.length : semicolon
    if (equals < start) equals = header.indexOf('=', start)
    if (equals >= 0 && equals < end) {
      const name = trimmed(header, start, equals)
      if (name !== '' && !(name in cookies)) cookies[name] = decode(unquote(trimmed(header, equals + 1, end)))
    }
    start = end + 1
  }
}

// Removes only spaces and tabs. For browsers, all other kinds of space are part of the name. A page on a subdomain can
// set a cookie with such a space before its name. If the space were removed, the cookie would look like a `__Host-`
// cookie.
function trimmed(text: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (start < end && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

function unquote(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
}

function decode(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
