import { isIPv6 } from 'node:net'

/**
 * The address under which the connections of a client are counted. For IPv6, that is its network of 64 bits: a client
 * has all addresses of it.
 */
export function clientNetwork(address: string): string {
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
