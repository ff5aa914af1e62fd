import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core'
import type { Reply } from './reply.ts'
import { withChangedHeader } from './reply-headers.ts'

/** The attributes of a cookie, RFC 6265. The defaults are the safe ones. */
export interface CookieOptions {
  /** Hidden from scripts. Default true. */
  readonly httpOnly?: boolean
  /** Sent over https only. Default true. */
  readonly secure?: boolean
  /** Default `Lax`. `None` needs `secure`. */
  readonly sameSite?: 'Strict' | 'Lax' | 'None'
  /** Default `/`. */
  readonly path?: string
  /** Left out, the cookie is for this host alone. */
  readonly domain?: string
  /** Seconds until it is forgotten. Left out with `expires`, it lasts as long as the browser's session. */
  readonly maxAge?: number
  readonly expires?: Date
  /** Kept apart for each site that embeds this one. Needs `secure`. */
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

// RFC 6265bis, 5.6: name and value together. Browsers forget a cookie that has more.
const longestPair = 4096

/**
 * A copy of a reply that sets a cookie, instead of one with the same name, domain and path. The value may be any
 * text; it is percent-encoded where it has to be, and `cookies` of the next request has it decoded again.
 * @throws InvalidOptionError for what browsers would drop without a word: a name or attribute that cannot be
 * written, more than 4096 bytes, `None` or `partitioned` without `secure`, or a `__Secure-` or `__Host-` name without what it promises
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

/** A copy of a reply that makes the client forget a cookie, which it knows by name, domain and path. */
export function withoutCookie(
  reply: Reply,
  name: string,
  options: Omit<CookieOptions, 'maxAge' | 'expires'> = {},
): Reply {
  return withCookie(reply, name, '', { ...options, maxAge: 0, expires: new Date(0) })
}

/** What is left when later cookies replace earlier ones of the same name, domain and path. */
export function lastOfEachCookie(cookies: readonly string[]): readonly string[] {
  if (cookies.length < 2) return cookies
  const last = new Map<string, string>()
  for (const cookie of cookies) {
    const key = identity(cookie)
    // Taken out first, so that the order is that of the cookies that are left.
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
  const refuse = (why: string) => new InvalidOptionError(`The cookie ${JSON.stringify(name)} ${why}`)
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw refuse('has a name that cannot be written')
  if (!/^\/[ -:<-~]*$/.test(path))
    throw refuse('has a path that cannot be written, or does not start with a slash')
  if (domain !== undefined && !/^\.?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(domain)) {
    throw refuse('has a domain that is none')
  }
  if (maxAge !== undefined && !Number.isSafeInteger(maxAge))
    throw refuse('has a maxAge that is not an integer')
  if (expires !== undefined && Number.isNaN(expires.getTime())) throw refuse('expires at a date that is none')
  if (!['Strict', 'Lax', 'None'].includes(sameSite))
    throw refuse('has a sameSite that is not Strict, Lax or None')
  if (!secure && sameSite === 'None') throw refuse('has sameSite None, which needs secure')
  if (!secure && partitioned) throw refuse('is partitioned, which needs secure')
  const prefix = /^__(Secure|Host)-/i.exec(name)?.[0]
  if (prefix === undefined) return
  if (!secure) throw refuse(`begins with ${prefix}, which needs secure`)
  if (/host/i.test(prefix) && (domain !== undefined || path !== '/')) {
    throw refuse(`begins with ${prefix}, which needs the path / and no domain`)
  }
}

// RFC 6265, 4.1.1, cookie-octet; the percent sign is encoded as well, so that decoding gives back what was given.
function encode(value: string): string {
  return value.replace(/[^!#$&'()*+\-./0-9:<=>?@A-Z[\]^_`a-z{|}~]+/gu, part =>
    encodeURIComponent(part.toWellFormed()),
  )
}
