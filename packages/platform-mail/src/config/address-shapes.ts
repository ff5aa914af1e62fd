import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { textLike } from '@signalbox/platform-runtime/config'

const label = String.raw`(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)`
/** The shape of a domain name, in any script. */
export const domainShape = new RegExp(String.raw`^(?=.{1,253}$)${label}(?:\.${label})*$`, 'u')

/** Returns whether a string is a domain name, in any script. */
export const isDomain = (text: string): boolean => domainShape.test(text)

const localShape = /^(?!\.)(?!.*\.\.)[^\s\p{Cc}"<>()[\],;:\\@]{1,64}(?<!\.)$/u

/** Returns whether a string is a pattern of addresses, as `addressPattern` reads it. */
export function isPattern(text: unknown): boolean {
  if (typeof text !== 'string') return false
  if (text === '*' || text === '<>') return true
  const at = text.lastIndexOf('@')
  const local = at < 0 ? '*' : text.slice(0, at)
  const domain = text.slice(at + 1)
  const isDomainPattern = domain === '*' ? at >= 0 : isDomain(domain.replace(/^\*\./, ''))
  return isDomainPattern && isLocalPart(local)
}

/** Returns whether a string is an unquoted local part of an address. */
export const isLocalPart = (text: unknown): boolean =>
  typeof text === 'string' && localShape.test(text) && Buffer.byteLength(text) <= 64

/** Returns whether a value is an address, or a network such as 10.0.0.0/8. */
export function isNetwork(value: unknown): boolean {
  if (typeof value !== 'string') return false
  const [address = '', prefix, ...more] = value.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)
}

/** Returns the forms of a domain in lower case. A non-ASCII domain also has an ASCII form, and clients use both. */
export function domainForms(domain: string): readonly string[] {
  const plain = domain.toLowerCase()
  const other = /[^\0-\x7f]/.test(plain)
    ? domainToASCII(plain)
    : /(?:^|\.)xn--/.test(plain)
      ? domainToUnicode(plain)
      : ''
  return other === '' || other === plain ? [plain] : [plain, other]
}

/** A subaddress such as `junk`, which follows a local part and a plus sign. */
export const subaddress = textLike('letters, digits, - and _', /^[a-z0-9_-]{1,64}$/i)
