import { BlockList, isIP } from 'node:net'

/** Returns whether a value is an address, or a network such as `10.0.0.0/8`. */
export function isNetwork(value: unknown): boolean {
  if (typeof value !== 'string') return false
  const [address = '', bits, ...rest] = value.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** Returns a function that tells whether an address is in one of the networks. */
export function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    list.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family)
  }
  return address => {
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
  }
}
