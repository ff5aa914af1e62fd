/**
 * The client's address from `x-forwarded-for`, to which every hop appends the address it was called from. The last
 * `trustedHops` entries were written by hops that are trusted, and the first of those is the client; whatever is
 * further left, anybody can have written. A port is left out, and what is no address is none.
 */
export function clientAddress(forwardedFor: readonly string[], trustedHops: number): string | undefined {
  const list = forwardedFor.length === 1 ? forwardedFor[0]! : forwardedFor.join(',')
  // From the right, entry by entry: a client may send a header of any length.
  let end = list.length
  for (let hop = 1; hop < trustedHops; hop++) {
    const comma = list.slice(0, end).lastIndexOf(',')
    if (comma < 0) break
    end = comma
  }
  const entry = list.slice(list.slice(0, end).lastIndexOf(',') + 1, end).trim()
  const address = withoutPort(entry)
  // Looked up when needed: few ask for an address, and loading sockets for it takes milliseconds.
  return process.getBuiltinModule('node:net').isIP(address) === 0 ? undefined : address
}

function withoutPort(entry: string): string {
  const bracket = entry.startsWith('[') ? entry.indexOf(']') : -1
  if (bracket >= 0) return entry.slice(1, bracket)
  const colon = entry.indexOf(':')
  return colon >= 0 && colon === entry.lastIndexOf(':') ? entry.slice(0, colon) : entry
}
