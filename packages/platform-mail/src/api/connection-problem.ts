import type { MailSettings } from '../config/mail-settings.ts'
import type { Reply } from './reply.ts'

/** The client of a connection. */
export interface Peer {
  /** The result of `clientNetwork`. */
  readonly network: string
  readonly isTrusted: boolean
  /** Whether the last reply was sent. */
  readonly isClosing: boolean
}

/**
 * The reply that refuses a new connection, or `drop` for a client with so many refused connections that it gets no reply.
 * Clients that are not trusted have a limit for each address, and together leave a tenth of all connections to trusted
 * clients. One trusted address has at most half of all.
 */
export function connectionProblem(
  { network, isTrusted }: Pick<Peer, 'network' | 'isTrusted'>,
  others: Iterable<Peer>,
  { connectionsLimit: all, connectionsPerAddress: perAddress }: ConnectionSettings,
): Reply | 'drop' | undefined {
  let [own, ownOpen, open, openUntrusted] = [0, 0, 0, 0]
  for (const other of others) {
    const isOwn = other.network === network
    if (isOwn) own++
    if (other.isClosing) continue
    open++
    if (isOwn) ownOpen++
    if (!other.isTrusted) openUntrusted++
  }
  const limit = isTrusted ? Math.max(perAddress, Math.ceil(all / 2)) : perAddress
  if (own >= 2 * limit) return 'drop'
  if (ownOpen >= limit)
    return { code: 421, text: '4.7.0 Too many connections from your address, try again later' }
  const reserve = Math.floor(all / 10)
  if (open >= all || (!isTrusted && openUntrusted >= all - reserve))
    return { code: 421, text: '4.3.2 Too many connections, try again later' }
  return undefined
}

export type ConnectionSettings = Pick<MailSettings, 'connectionsLimit' | 'connectionsPerAddress'>
