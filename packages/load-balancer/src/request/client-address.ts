/**
 * Returns the client's address from `x-forwarded-for`. Each hop appends the address that called it, so trusted hops
 * wrote the last `trustedHops` entries, and the first of those is the client. The client itself can write any entries
 * before them. The address comes without a port, or undefined for an entry that is not an address.
 */
export function clientAddress(forwardedFor: readonly string[], trustedHops: number): string | undefined {
  const list = forwardedFor.length === 1 ? forwardedFor[0]! : forwardedFor.join(',')
  // Reads from the right and stops early: a client may send a header of any length.
  let end = list.length
  for (let hop = 1; hop < trustedHops; hop++) {
    const comma = list.slice(0, end).lastIndexOf(',')
    if (comma < 0) break
    end = comma
  }
  const entry = list.slice(list.slice(0, end).lastIndexOf(',') + 1, end).trim()
  const address = withoutPort(entry)
  // Loaded on first use: node:net takes milliseconds to load, and few functions need an address.
  return process.getBuiltinModule('node:net').isIP(address) === 0 ? undefined : address
}

function withoutPort(entry: string): string {
  const bracket = entry.startsWith('[') ? entry.indexOf(']') : -1
  if (bracket >= 0) return entry.slice(1, bracket)
  const colon = entry.indexOf(':')
  return colon >= 0 && colon === entry.lastIndexOf(':') ? entry.slice(0, colon) : entry
}
