import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core'
import type { Reply } from './reply.ts'
import { withChangedHeader } from './reply-headers.ts'

/** The attributes of a cookie (RFC 6265), with safe defaults. */
export interface CookieOptions {
  /** Hides the cookie from scripts. Default true. */
  readonly httpOnly?: boolean
  /** Sends the cookie only over https. Default true. */
  readonly secure?: boolean
  /**
   * Decides whether browsers send the cookie with requests from other sites. Default: `Lax`. `None` requires `secure`.
   */
  readonly sameSite?: 'Strict' | 'Lax' | 'None'
  /** The path of the cookie. Default: `/`. */
  readonly path?: string
  /** The domain of the cookie. Default: the host that sets the cookie, without its subdomains. */
  readonly domain?: string
  /**
   * The seconds until the cookie expires. Without `maxAge` and `expires`, it expires when the browser session ends.
   */
  readonly maxAge?: number
  readonly expires?: Date
  /** Whether the browser keeps a separate cookie for each site that embeds this one. It requires `secure`. */
  readonly partitioned?: boolean
}

const optionNames = [
  'httpOnly',
  'secure',
  'sameSite',
  'path',
  'domain',
  'maxAge',
  'expires',
  'partitioned',
] as const satisfies readonly (keyof CookieOptions)[]

// RFC 6265bis, 5.6: the maximum size of name and value together. Browsers drop larger cookies.
const longestPair = 4096

/**
 * Returns a copy of a reply that sets a cookie. It replaces a cookie with the same name, domain and path. The value can
 * be any text. It is percent-encoded where necessary, and decoded in the `cookies` of the next request.
 * @example withCookie(redirect('/me', 303), '__Host-session', token, { maxAge: 3600 })
 * @throws InvalidOptionError for cookies that browsers drop silently: an invalid name or attribute, more than 4096 bytes,
 * `None` or `partitioned` without `secure`, or a `__Secure-` or `__Host-` name that breaks its rules
 */
export function withCookie(reply: Reply, name: string, value: string, options: CookieOptions = {}): Reply {
  const { httpOnly = true, secure = true, sameSite = 'Lax', path = '/', domain, maxAge, expires } = options
  const { partitioned = false } = options
  check(name, options)
  const encoded = encode(value)
  if (name.length + encoded.length > longestPair) {
    throw new InvalidOptionError(`The cookie ${JSON.stringify(name)} has more than ${longestPair} bytes`)
  }
  const parts = [
    `${name}=${encoded}`,
    `Path=${path}`,
    domain === undefined ? '' : `Domain=${domain}`,
    maxAge === undefined ? '' : `Max-Age=${maxAge}`,
    expires === undefined ? '' : `Expires=${expires.toUTCString()}`,
    httpOnly ? 'HttpOnly' : '',
    secure ? 'Secure' : '',
    `SameSite=${sameSite}`,
    partitioned ? 'Partitioned' : '',
  ]
  const cookie = parts.filter(part => part !== '').join('; ')
  return withChangedHeader(reply, 'set-cookie', cookies => lastOfEachCookie([...cookies, cookie]))
}

/**
 * Returns a copy of a reply that removes a cookie from the client. Name, domain and path identify the cookie.
 * @example withoutCookie(redirect('/'), '__Host-session')
 */
export function withoutCookie(
  reply: Reply,
  name: string,
  options: Omit<CookieOptions, 'maxAge' | 'expires'> = {},
): Reply {
  return withCookie(reply, name, '', { ...options, maxAge: 0, expires: new Date(0) })
}

/**
 * Returns the cookies that remain after later cookies have replaced earlier ones with the same name, domain and path.
 */
export function lastOfEachCookie(cookies: readonly string[]): readonly string[] {
  if (cookies.length < 2) return cookies
  const last = new Map<string, string>()
  for (const cookie of cookies) {
    const key = identity(cookie)
    // The earlier cookie is deleted first, so that the later cookie is at the end of the map.
    last.delete(key)
    last.set(key, cookie)
  }
  return [...last.values()]
}

function identity(cookie: string): string {
  const [pair, ...attributes] = cookie.split(';')
  const find = (name: string) =>
    attributes
      .findLast(each => each.trim().toLowerCase().startsWith(name))
      ?.split('=', 2)[1]
      ?.trim() ?? ''
  return JSON.stringify([pair!.split('=', 1)[0]!.trim(), find('domain=').toLowerCase(), find('path=')])
}

function check(name: string, options: CookieOptions): void {
  refuseUnknownOptions(`The cookie ${name}`, options, optionNames)
  const {
    secure = true,
    sameSite = 'Lax',
    path = '/',
    domain,
    maxAge,
    expires,
    partitioned = false,
  } = options
  const invalid = (why: string) => new InvalidOptionError(`The cookie ${JSON.stringify(name)} ${why}`)
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw invalid('has an invalid name')
  if (!/^\/[ -:<-~]*$/.test(path))
    throw invalid('has an invalid path, or one that does not start with a slash')
  if (domain !== undefined && !/^\.?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(domain)) {
    throw invalid('has an invalid domain')
  }
  if (maxAge !== undefined && !Number.isSafeInteger(maxAge))
    throw invalid('has a maxAge that is not an integer')
  if (expires !== undefined && Number.isNaN(expires.getTime())) throw invalid('has an invalid expires date')
  if (!['Strict', 'Lax', 'None'].includes(sameSite))
    throw invalid('has a sameSite that is not Strict, Lax or None')
  if (!secure && sameSite === 'None') throw invalid('has sameSite None, which needs secure')
  if (!secure && partitioned) throw invalid('is partitioned, which needs secure')
  const prefix = /^__(Secure|Host)-/i.exec(name)?.[0]
  if (prefix === undefined) return
  if (!secure) throw invalid(`begins with ${prefix}, which needs secure`)
  if (/host/i.test(prefix) && (domain !== undefined || path !== '/')) {
    throw invalid(`begins with ${prefix}, which needs the path / and no domain`)
  }
}

// Encodes all characters except cookie-octets (RFC 6265, 4.1.1). It also encodes the percent sign, so that decoding
// returns the original value.
function encode(value: string): string {
  return value.replace(/[^!#$&'()*+\-./0-9:<=>?@A-Z[\]^_`a-z{|}~]+/gu, part =>
    encodeURIComponent(part.toWellFormed()),
  )
}
