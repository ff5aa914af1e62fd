import type { AddressInfo, Server } from 'node:net'

/** Returns the URL of a listening server. For port 0, it has the port that the system chose. */
export function listenUrl(
  scheme: 'http' | 'https' | 'smtp' | 'smtps' | 'lmtp' | 'milter',
  server: Pick<Server, 'address'>,
): string {
  const { address, port, family } = server.address() as AddressInfo
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
