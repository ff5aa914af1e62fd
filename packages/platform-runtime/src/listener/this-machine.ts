import type { IncomingMessage } from 'node:http'
import { isOwnAddress } from './own-host.ts'

/** The headers that proxies add: RFC 7239, RFC 8586, RFC 9110 (7.6.3), and what proxies send instead. */
const forwarding =
  /^(?:forwarded|via|cdn-loop|cf-connecting-ip|true-client-ip|x-real-ip|x-(?:cluster-)?client-ip|x-forwarded(?:-.+)?)$/

/** The refusal of a request that `servesWithoutKey` does not allow, for clients. */
export const outsideRefusal =
  'Without `access` or `open: true` in the configuration, this is for programs on this machine only, and not through a proxy.'

/**
 * Returns whether a listener that checks no keys serves a request. An open listener serves everyone. Any other one
 * serves clients on this machine, but no request that a proxy has forwarded, because its sender may be anywhere. A proxy
 * that adds no header cannot be noticed, which is why `signalbox start` refuses such listeners.
 */
export function servesWithoutKey(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  open: boolean,
): boolean {
  if (open) return true
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/i, '')
  return isOwnAddress(address) && !Object.keys(headers).some(name => forwarding.test(name))
}
