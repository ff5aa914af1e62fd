import type { AddressInfo, Server } from 'node:net'

/** The URL of a server that is listening. Its port is the one that the system chose when it was asked for any. */
export function listenUrl(scheme: 'http' | 'https' | 'smtp', server: Pick<Server, 'address'>): string {
  const { address, port, family } = server.address() as AddressInfo
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
