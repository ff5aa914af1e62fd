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
  for (const header of headers) {
    for (const part of header.split(';')) {
      const equals = part.indexOf('=')
      if (equals < 0) continue
      const name = part.slice(0, equals).trim()
      if (name === '' || name in cookies) continue
      cookies[name] = decode(unquote(part.slice(equals + 1).trim()))
    }
  }
  return cookies
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
