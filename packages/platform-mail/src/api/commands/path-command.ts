import { isUtf8 } from 'node:buffer'
import { isIPv4, isIPv6 } from 'node:net'
import { isAddress } from '@signalbox/mail-flow/contract'
import { hasMisplacedDot } from '../../misplaced-dot.ts'
import type { Reply } from '../reply.ts'

/** The content of a `MAIL FROM:` or `RCPT TO:` command. */
export interface PathCommand {
  /** The address in angle brackets. Empty for the null sender. */
  readonly address: string
  /** The parameters by name in upper case. A parameter without a value is undefined. */
  readonly parameters: ReadonlyMap<string, string | undefined>
}

/** The maximum number of bytes of an address without angle brackets (RFC 5321, 4.5.3.1.3). */
const addressLimit = 254

const shape = /^(?:MAIL FROM|RCPT TO): *<((?:"(?:[^"\\]|\\.)*"|[^"<>])*)>((?: +[^ ]+)*) *$/i

/** The servers that a mail should pass on its way. Servers must accept and should ignore them (RFC 5321, 4.1.2). */
export const sourceRoute = /^@[^\s@,:]+(?:,@[^\s@,:]+)*:/

// Invisible characters make one address look like another.
const invisible = /[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/

/**
 * Reads a path and its parameters.
 * @param status the enhanced status code for an invalid address: 5.1.7 for senders, 5.1.3 for recipients
 */
export function pathCommand(line: Buffer, status: '5.1.7' | '5.1.3'): PathCommand | Reply {
  const refusal = (why: string): Reply => ({ code: 501, text: `${status} ${why}` })
  if (!isUtf8(line)) return refusal('The address is not UTF-8')
  const [, path, rest] = shape.exec(line.toString()) ?? []
  const address = path?.replace(sourceRoute, '')
  if (address === undefined || rest === undefined) return refusal('Expected an address in angle brackets')
  if (Buffer.byteLength(address) > addressLimit)
    return refusal(`Address too long: at most ${addressLimit} bytes`)
  const mayHaveNoDomain =
    address === '' ? status === '5.1.7' : status === '5.1.3' && /^postmaster$/i.test(address)
  if (!mayHaveNoDomain) {
    if (!isAddress(address) || invisible.test(address) || !hasValidLiteral(address))
      return refusal('Invalid address')
    if (hasMisplacedDot(address)) return refusal('Invalid address: misplaced dot')
  }

  const parameters = new Map<string, string | undefined>()
  for (const parameter of rest.trim().split(/ +/)) {
    if (parameter === '') continue
    const equals = parameter.indexOf('=')
    const name = (equals < 0 ? parameter : parameter.slice(0, equals)).toUpperCase()
    if (!/^[A-Z0-9][A-Z0-9-]*$/.test(name) || parameters.has(name))
      return { code: 501, text: '5.5.4 Malformed parameters' }
    parameters.set(name, equals < 0 ? undefined : parameter.slice(equals + 1))
  }
  return { address, parameters }
}

/** Returns whether the domain of an address is a name, or a valid address literal (RFC 5321, 4.1.3). */
function hasValidLiteral(address: string): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  if (!domain.startsWith('[')) return true
  const literal = domain.slice(1, -1)
  return isIPv4(literal) || (/^ipv6:/i.test(literal) && isIPv6(literal.slice('ipv6:'.length)))
}

/** The reply to a parameter that this server does not implement. */
export const unknownParameter: Reply = { code: 555, text: '5.5.4 Unknown parameter' }
