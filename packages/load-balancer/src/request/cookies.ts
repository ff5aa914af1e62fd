/** Cookies by name. */
export interface Cookies {
  readonly [name: string]: string
}

/**
 * Returns the cookies of `cookie` headers. Of several cookies with one name the first counts: browsers send the one
 * with the most specific path first (RFC 6265, 5.4). Values are percent-decoded where possible, since `withCookie`
 * encodes them.
 */
export function parseCookies(headers: readonly string[]): Cookies {
  const cookies: Record<string, string> = Object.create(null)
  for (const header of headers) readPairs(header, cookies)
  return cookies
}

// Scans the text without splitting it: the client decides how long the header is.
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

// Removes spaces and tabs only. For browsers, any other kind of space is part of the name. A page of a subdomain may set
// such a cookie, and without the space it would pass for a `__Host-` cookie.
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
