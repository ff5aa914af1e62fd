/**
 * What makes two addresses the same: their domains may differ in the case of letters, their local parts may not.
 */
export function addressKey(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 0 ? address : address.slice(0, at) + address.slice(at).toLowerCase()
}

const atom = String.raw`[^\s\p{Cc}"<>()[\],;:\\@]+`
const quoted = String.raw`"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"`
const literal = String.raw`\[[^\s\p{Cc}[\]\\@]+\]`
const shape = new RegExp(`^(?:${atom}|${quoted})@(?:${atom}|${literal})$`, 'u')

/**
 * Whether a text has the shape of a mail address: a local part, an at sign and a domain, in any script. It is
 * about slips, such as a name or a list in place of an address; whether mail gets there is not asked.
 */
export function isAddress(text: string): boolean {
  return shape.test(text)
}
