/**
 * What makes two addresses the same: their domains may differ in the case of letters, their local parts may not.
 */
export function addressKey(address: string): string {
  // Most domains are in lower case already. From the end, so that the at sign of the domain comes first.
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
// Runs of plain characters are taken whole, since the stack ends before the longest texts do.
const quoted = String.raw`"[^"\\\p{Cc}]*(?:\\[^\p{Cc}][^"\\\p{Cc}]*)*"`
const literal = String.raw`\[[^\s\p{Cc}[\]\\@]+\]`
let shape: RegExp | undefined

/**
 * Whether a text has the shape of a mail address: a local part, an at sign and a domain, in any script. It is
 * about slips, such as a name or a list in place of an address; whether mail gets there is not asked.
 */
export function isAddress(text: string): boolean {
  // Made when it is first needed: the classes of Unicode take a while to be looked up.
  shape ??= new RegExp(`^(?:${atom}|${quoted})@(?:${atom}|${literal})$`, 'u')
  return shape.test(text)
}
