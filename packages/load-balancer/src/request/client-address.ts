/**
 * Returns the address of the client from `x-forwarded-for`, without a port, or undefined when the entry is not an
 * address. Each hop appends the address of its caller, so the trusted hops wrote the last `trustedHops` entries. The
 * first of these entries is the address of the client. The client can write any entries before them.
 */
export function clientAddress(forwardedFor: readonly string[], trustedHops: number): string | undefined {
  const list = forwardedFor.length === 1 ? forwardedFor[0]! : forwardedFor.join(',')
  // The header is read from the right, and only as far as needed, because a client can send a header of any length.
  let end = list.length
  for (let hop = 1; hop < trustedHops; hop++) {
    const comma = list.slice(0, end).lastIndexOf(',')
    if (comma < 0) break
    end = comma
  }
  const entry = list.slice(list.slice(0, end).lastIndexOf(',') + 1, end).trim()
  const address = withoutPort(entry)
  // The module is loaded on first use, because loading node:net takes milliseconds and few functions need an address.
  return process.getBuiltinModule('node:net').isIP(address) === 0 ? undefined : address
}

function withoutPort(entry: string): string {
  const bracket = entry.startsWith('[') ? entry.indexOf(']') : -1
  if (bracket >= 0) return entry.slice(1, bracket)
  const colon = entry.indexOf(':')
  return colon >= 0 && colon === entry.lastIndexOf(':') ? entry.slice(0, colon) : entry
}
