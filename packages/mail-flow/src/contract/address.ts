/** Returns a key that is equal for addresses which differ only in the case of their domains. */
export function addressKey(address: string): string {
  // Most addresses need no copy.
  if (lowerDomain.test(address)) return address
  const at = address.lastIndexOf('@')
  return at < 0 ? address : address.slice(0, at) + address.slice(at).toLowerCase()
}

// The last at sign comes before the domain.
const lowerDomain = /@[^@A-Z\u0080-\uffff]*$/

const atom = String.raw`[^\s\p{Cc}"<>()[\],;:\\@]+`
// Plain characters match in runs. One match for each character would overflow the stack for the longest texts.
const quoted = String.raw`"[^"\\\p{Cc}]*(?:\\[^\p{Cc}][^"\\\p{Cc}]*)*"`
const literal = String.raw`\[[^\s\p{Cc}[\]\\@]+\]`
let shape: RegExp | undefined

/**
 * Returns whether a text has the form of a mail address: local part, at sign and domain, in any script. It finds
 * mistakes, such as a name or a list instead of an address. It does not check whether the mailbox exists.
 */
export function isAddress(text: string): boolean {
  // The expression is compiled on first use, because Unicode classes take time.
  shape ??= new RegExp(`^(?:${atom}|${quoted})@(?:${atom}|${literal})$`, 'u')
  return shape.test(text)
}
