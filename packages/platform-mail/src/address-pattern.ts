import { domainKey } from './domain-key.ts'
import { mailboxName } from './mailbox-name.ts'

/** A pattern of the addresses that a rule is for. */
export interface AddressPattern {
  readonly matches: (address: string) => boolean
  /** How specific the pattern is. The first numbers that differ decide, and the higher one is more specific. */
  readonly specificity: readonly number[]
}

/** The pattern of the null sender. */
export const nullSender = '<>'

/** The kinds of the domain or the local part of a pattern. */
const [anything, some, one] = [0, 1, 2]

/**
 * Reads a pattern: `ann@office.example`, `news-*@office.example`, `office.example` for all addresses of a domain,
 * `*.office.example` for its subdomains, `*` for all addresses, or `<>` for the null sender.
 */
export function addressPattern(text: string): AddressPattern {
  if (text === nullSender) return { matches: address => address === '', specificity: [one, 0, one, 0] }
  if (text === '*') return { matches: () => true, specificity: [anything, 0, anything, 0] }
  const { local, domain } = partsOf(text.includes('@') ? text : `*@${text}`)
  const [domainKind, matchesDomain] = domainMatcher(domain)
  const [localKind, matchesLocal] = localMatcher(local)
  return {
    matches(address) {
      const parts = partsOf(address)
      return address !== '' && matchesDomain(parts.domain) && matchesLocal(parts.local)
    },
    // Of two patterns with wildcards, the longer one says more. Without wildcards, the length has no meaning.
    specificity: [
      ...[domainKind, domainKind === some ? domain.length : 0],
      ...[localKind, localKind === some ? local.length : 0],
    ],
  }
}

function domainMatcher(domain: string): readonly [number, (domain: string) => boolean] {
  if (domain === '*') return [anything, () => true]
  if (!domain.startsWith('*.')) return [one, other => other === domain]
  const suffix = domain.slice(1)
  return [some, other => other.endsWith(suffix) && other.length > suffix.length]
}

function localMatcher(local: string): readonly [number, (local: string) => boolean] {
  if (local === '*') return [anything, () => true]
  if (!local.includes('*')) return [one, other => other === local]
  const [first = '', ...rest] = local.split('*')
  const last = rest.pop() ?? ''
  return [
    some,
    other => {
      if (!other.startsWith(first) || !other.endsWith(last)) return false
      // The pieces between the wildcards follow each other, in this order.
      let at = first.length
      for (const piece of rest) {
        const found = other.indexOf(piece, at)
        if (found < 0) return false
        at = found + piece.length
      }
      return at + last.length <= other.length
    },
  ]
}

/** Returns the local part and the domain of an address, each in the form in which equal ones are equal strings. */
export function partsOf(address: string): { readonly local: string; readonly domain: string } {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return {
    local: mailboxName(address.slice(0, Math.max(at, 0))),
    domain: domain.startsWith('*.') ? `*.${domainKey(domain.slice(2))}` : domainKey(domain),
  }
}

/** Compares two lists of numbers. The result is negative if the first list is more specific. */
export function moreSpecific(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, index) => number !== b[index])
  return at < 0 ? 0 : b[at]! - a[at]!
}
