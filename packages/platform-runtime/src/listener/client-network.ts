import { isIPv6 } from 'node:net'

/**
 * Returns the key by which a client is counted, from an address such as the `remoteAddress` of a socket. The key of
 * an IPv6 address is its 64-bit network, because one client usually has all addresses of such a network.
 */
export function clientNetwork(address: string): string {
  // This check comes first because Node's own check takes longer than everything else here.
  const version4 = /^(?:::ffff:)?(\d+\.[\d.]+)$/i.exec(address)?.[1]
  if (version4 !== undefined) return version4
  const plain = address.replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const [before = '', after] = plain.split('::')
  const groups = (text: string) => text.split(':').filter(group => group !== '')
  const left = groups(before)
  const missing = after === undefined ? 0 : 8 - left.length - groups(after).length
  const all = [...left, ...Array.from({ length: missing }, () => '0'), ...groups(after ?? '')]
  return `${all
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
