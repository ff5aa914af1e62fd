import type { AuthenticationResult, MailAuthentication } from '@signalbox/mail-flow/contract'
import { resultWords } from '@signalbox/mail-flow/contract'
import { headerBlock, headerName, headers } from './header-lines.ts'

const header = 'authentication-results'
const colon = 0x3a

/** The maximum number of signatures whose results count. */
export const signaturesLimit = 10
/** The maximum number of bytes that are read from a header. */
const headerLimit = 16 * 1024
const longestDomain = 255

/**
 * Returns whether a header is one of `Authentication-Results` with one of these names of a server (authserv-ids, in lower
 * case).
 */
export function isResultsOf(name: string, bytes: Buffer, ids: readonly string[]): boolean {
  return name === header && ids.includes(idIn(plainValue(bytes)))
}

/**
 * Returns the results that the headers of these servers state (RFC 8601). Of several results, the one at the top counts,
 * which is the latest. Returns undefined if no header is from one of them.
 * @param ids the names of servers (authserv-ids) in lower case
 */
export function statedResults(raw: Buffer, ids: readonly string[]): MailAuthentication | undefined {
  if (ids.length === 0) return undefined
  let found:
    | { spf?: AuthenticationResult; dkim?: AuthenticationResult[]; dmarc?: AuthenticationResult }
    | undefined
  for (const bytes of headers(headerBlock(raw))) {
    if (headerName(bytes) !== header) continue
    const value = plainValue(bytes)
    if (!ids.includes(idIn(value))) continue
    found ??= {}
    for (const { method, result, properties } of statements(value)) {
      const domain = (...names: readonly string[]) => domainIn(names.map(name => properties.get(name)))
      if (method === 'spf') found.spf ??= { result, ...domain('smtp.mailfrom', 'smtp.helo') }
      if (method === 'dkim' && (found.dkim?.length ?? 0) < signaturesLimit)
        found.dkim = [...(found.dkim ?? []), { result, ...domain('header.d', 'header.i') }]
      if (method === 'dmarc') {
        const policy = properties.get('policy.dmarc')
        found.dmarc ??= {
          ...{ result, ...domain('header.from') },
          ...(policy !== undefined && /^(?:none|quarantine|reject)$/.test(policy) && { policy }),
        }
      }
    }
  }
  return found
}

/**
 * Returns the header that states results (RFC 8601, 2.2).
 * @param name the name of this server (authserv-id)
 * @param hasSender whether SPF was about the sender of the envelope, and not about the name in HELO
 */
export function resultsHeader(
  name: string,
  { spf, dkim, dmarc }: MailAuthentication,
  hasSender: boolean,
): string {
  const stated = (method: string, property: string, { result, domain }: AuthenticationResult) =>
    `;\r\n\t${method}=${result}${domain && isPlain(domain) ? ` ${property}=${domain}` : ''}`
  const policy = dmarc?.policy ? ` policy.dmarc=${dmarc.policy}` : ''
  return [
    `Authentication-Results: ${name}`,
    ...(spf ? [stated('spf', hasSender ? 'smtp.mailfrom' : 'smtp.helo', spf)] : []),
    ...(dkim ?? []).map(each => stated('dkim', 'header.d', each)),
    ...(dmarc ? [stated('dmarc', 'header.from', dmarc), policy] : []),
    '\r\n',
  ].join('')
}

interface Statement {
  readonly method: string
  readonly result: AuthenticationResult['result']
  /** The properties, such as `header.d`, with their values in lower case. */
  readonly properties: ReadonlyMap<string, string>
}

function* statements(value: string): Generator<Statement> {
  for (const part of value.split(';').slice(1)) {
    const [first = '', ...others] = part.trim().split(/\s+/)
    const [, method, word] = /^([a-z-]+)(?:\/\d+)?=([a-z]+)$/.exec(first) ?? []
    const result = resultWords.find(each => each === word)
    if (method === undefined || result === undefined) continue
    const properties = others.map(each => each.split('=', 2) as [string, string | undefined])
    yield { method, result, properties: new Map(properties.map(([name, its = '']) => [name, its])) }
  }
}

/** Returns the first domain in these values, each of which is a domain or an address. */
function domainIn(values: readonly (string | undefined)[]): { readonly domain?: string } {
  for (const value of values) {
    const domain = value?.slice(value.lastIndexOf('@') + 1)
    if (domain !== undefined && isPlain(domain)) return { domain }
  }
  return {}
}

function isPlain(domain: string): boolean {
  return domain.length <= longestDomain && /^[\w.:[\]-]+$/.test(domain)
}

/** Returns the name of the server in a value (authserv-id). A version can follow the name. */
function idIn(value: string): string {
  return /^\s*([^\s;]*)/.exec(value)![1]!
}

/**
 * Returns the value of a header in lower case, without comments (RFC 5322, 3.2.2), without spaces around `=`, `/` and `.`,
 * and with quoted strings that cannot be taken for more than one word.
 */
function plainValue(bytes: Buffer): string {
  const text = bytes.toString('utf8', bytes.indexOf(colon) + 1, headerLimit).toLowerCase()
  let plain = ''
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '\\' && (isQuoted || depth > 0)) at++
    else if (character === '"' && depth === 0) isQuoted = !isQuoted
    else if (isQuoted) plain += /[\s;=]/.test(character) ? '_' : character
    else if (character === '(') depth++
    else if (character === ')' && depth > 0) depth--
    else if (depth === 0) plain += character
    else if (depth > 0 && character === '\n') plain += ' '
  }
  return plain.replace(/[ \t\r\n]*([=/.])[ \t\r\n]*/g, '$1')
}
