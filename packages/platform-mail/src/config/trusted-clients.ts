import { BlockList, isIP } from 'node:net'

/** The loopback addresses. */
export const thisMachine: readonly string[] = ['127.0.0.0/8', '::1']

/**
 * Returns a function that checks whether an address is in a list of addresses and networks. The clients on this list
 * may send mail to other domains.
 */
export function trustedClients(named: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of named) {
    const [address = '', bits] = entry.split('/')
    const family = familyOf(address)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return address => isIP(address) !== 0 && list.check(address, familyOf(address))
}

/** Returns whether an address is a loopback address. */
export const isThisMachine: (address: string) => boolean = trustedClients(thisMachine)

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
