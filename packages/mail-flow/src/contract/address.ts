/**
 * The key of an address: two addresses are the same when only the case of their domains differs.
 */
export function addressKey(address: string): string {
  // Most domains are in lower case already. The last at sign is the one before the domain.
  for (let i = address.length - 1; i >= 0; i--) {
    const code = address.charCodeAt(i)
    if (code === atSign) return address
    if ((code >= upperA && code <= upperZ) || code > lastAscii) return lowerDomain(address)
  }
  return address
}

const [atSign, upperA, upperZ, lastAscii] = [0x40, 0x41, 0x5a, 0x7f]

function lowerDomain(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 0 ? address : address.slice(0, at) + address.slice(at).toLowerCase()
}

const atom = String.raw`[^\s\p{Cc}"<>()[\],;:\\@]+`
// Plain characters match in runs: the stack is too small for one match a character of the longest texts.
const quoted = String.raw`"[^"\\\p{Cc}]*(?:\\[^\p{Cc}][^"\\\p{Cc}]*)*"`
const literal = String.raw`\[[^\s\p{Cc}[\]\\@]+\]`
let shape: RegExp | undefined

/**
 * Whether a text has the form of a mail address: local part, at sign and domain, in any script. It finds slips, such as a
 * name or a list instead of an address, and does not check whether the mailbox exists.
 */
export function isAddress(text: string): boolean {
  // Made on first use: looking up classes of Unicode takes time.
  shape ??= new RegExp(`^(?:${atom}|${quoted})@(?:${atom}|${literal})$`, 'u')
  return shape.test(text)
}
