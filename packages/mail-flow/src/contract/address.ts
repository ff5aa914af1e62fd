/**
 * Returns a key that is equal for addresses which differ only in the case of their domains.
 * @example
 * ```ts
 * import { addressKey } from '@signalbox/mail-flow/contract'
 *
 * addressKey('Ann@Office.EXAMPLE') // 'Ann@office.example'
 * ```
 */
export function addressKey(address: string): string {
  // Most domains are already in lower case, so the address is its own key.
  if (lowerDomain.test(address)) return address
  const at = address.lastIndexOf('@')
  return at < 0 ? address : address.slice(0, at) + address.slice(at).toLowerCase()
}

// Matches when the domain, which follows the last at sign, is ASCII without upper-case letters.
const lowerDomain = /@[^@A-Z\u0080-\uffff]*$/

// The control characters.
const control = String.raw`\0-\x1f\x7f-\x9f`
const atom = String.raw`[^\s${control}"<>()[\],;:\\@]+`
// A whole run of plain characters is one match. One match for each character would overflow the stack for very long
// strings.
const quoted = String.raw`"[^"\\${control}]*(?:\\[^${control}][^"\\${control}]*)*"`
const literal = String.raw`\[[^\s${control}[\]\\@]+\]`
const shape = /* @__PURE__ */ new RegExp(`^(?:${atom}|${quoted})@(?:${atom}|${literal})$`, 'u')

/**
 * Returns whether a string has the form of a mail address: local part, at sign and domain, in any script. The check
 * finds mistakes, such as a name or a list instead of an address, but does not test whether the mailbox exists.
 * @example
 * ```ts
 * import { isAddress } from '@signalbox/mail-flow/contract'
 *
 * isAddress('ann@office.example') // true
 * isAddress('Ann <ann@office.example>') // false
 * ```
 */
export function isAddress(text: string): boolean {
  return shape.test(text)
}
