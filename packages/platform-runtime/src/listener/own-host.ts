import { isIP } from 'node:net'

/**
 * Whether a Host header names the listener that it came to. A web page whose own name was made to lead to this machine
 * sends that name (DNS rebinding). It cannot send an address, nor a name that no public server answers for.
 * @param header the value of the Host header; empty when there is none
 * @param host where the listener was told to listen
 */
export function isOwnHost(header: string, host: string): boolean {
  const name = /^(\[[\da-f:.]+\]|[^[\]:/?#@\\\s,]+)(?::\d{1,5})?$/i.exec(header)?.[1]?.toLowerCase()
  if (name === undefined) return false
  const bare = name.replace(/^\[(.*)\]$/, '$1')
  if (isLoopback(bare) || bare === host.toLowerCase()) return true
  // Others may reach it, so that it has names and addresses which it does not know: those of a container, for one.
  return !isLoopback(host.toLowerCase()) && (isIP(bare) !== 0 || isPrivateName(bare))
}

function isLoopback(name: string): boolean {
  return /^(?:.+\.)?localhost$|^::1$|^127(?:\.\d{1,3}){3}$/.test(name)
}

/** Whether no public server answers for a name: it has no dot, or ends as names of private networks do. */
function isPrivateName(name: string): boolean {
  return !name.includes('.') || /\.(?:internal|local|home\.arpa)$/.test(name)
}
