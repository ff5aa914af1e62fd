/** Cookies by name. */
export interface Cookies {
  readonly [name: string]: string
}

/**
 * The cookies of `cookie` headers. Of several with one name the first counts, which is the one with the most
 * specific path (RFC 6265, 5.4). Values are percent-decoded where that works, as `withCookie` encodes them.
 */
export function parseCookies(headers: readonly string[]): Cookies {
  const cookies: Record<string, string> = Object.create(null)
  for (const header of headers) readPairs(header, cookies)
  return cookies
}

// Goes along the text without taking it apart: whoever sends a long header decides how much time it takes.
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

// Of spaces and tabs alone. A browser takes a name behind any other space for another name, which pages of a
// subdomain may set: with that space gone it would pass for one that begins with `__Host-`.
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
