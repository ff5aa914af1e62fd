/** Returns the key of an address: two addresses are the same when only the case of their domains differs. */
export function addressKey(address: string): string {
  // Most addresses need no copy.
  if (lowerDomain.test(address)) return address
  const at = address.lastIndexOf('@')
  return at < 0 ? address : address.slice(0, at) + address.slice(at).toLowerCase()
}

// The last at sign is the one before the domain.
const lowerDomain = /@[^@A-Z\u0080-\uffff]*$/

const atom = String.raw`[^\s\p{Cc}"<>()[\],;:\\@]+`
// Plain characters match in runs, because one match for each character would overflow the stack for the longest texts.
const quoted = String.raw`"[^"\\\p{Cc}]*(?:\\[^\p{Cc}][^"\\\p{Cc}]*)*"`
const literal = String.raw`\[[^\s\p{Cc}[\]\\@]+\]`
let shape: RegExp | undefined

/**
 * Returns whether a text has the form of a mail address: local part, at sign and domain, in any script. It finds
 * mistakes, such as a name or a list instead of an address, and does not check whether the mailbox exists.
 */
export function isAddress(text: string): boolean {
  // Made on first use: looking up classes of Unicode takes time.
  shape ??= new RegExp(`^(?:${atom}|${quoted})@(?:${atom}|${literal})$`, 'u')
  return shape.test(text)
}
