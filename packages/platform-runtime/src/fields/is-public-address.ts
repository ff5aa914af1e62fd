import { BlockList, isIP } from 'node:net'

/**
 * The networks whose addresses are not in the public internet: this machine, private and local networks, and networks
 * for documentation, tests and translation (the special-purpose registries of IANA).
 */
const special = new BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])
  addNetwork(special, network, 'ipv4')
for (const network of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
  addNetwork(special, network, 'ipv6')

/** The IPv6 addresses that are assigned for use in the public internet. */
const global = new BlockList()
addNetwork(global, '2000::/3', 'ipv6')

function addNetwork(list: BlockList, network: string, family: 'ipv4' | 'ipv6'): void {
  const [address = '', length] = network.split('/')
  list.addSubnet(address, Number(length), family)
}

/**
 * Returns whether an IP address, without brackets, belongs to the public internet. An IPv6 address that contains an IPv4
 * address does not.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !special.check(address, 'ipv4')
  // An address with a zone, such as `fe80::1%eth0`, is local.
  return (
    version === 6 &&
    !address.includes('%') &&
    global.check(address, 'ipv6') &&
    !special.check(address, 'ipv6')
  )
}
