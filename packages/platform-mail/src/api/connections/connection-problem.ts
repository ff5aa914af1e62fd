import type { MailSettings } from '../../config/mail-settings.ts'
import type { Reply } from '../reply.ts'

/** The client of a connection. */
export interface Peer {
  /** The network of the client's address, as `clientNetwork` returns it. */
  readonly network: string
  readonly isTrusted: boolean
  /** Whether the last reply was sent. */
  readonly isClosing: boolean
  /** Whether a mail is being transferred. */
  readonly isReceiving: boolean
  /** Whether a mail is being stored. */
  readonly isStoring: boolean
  /** The time when the client's last mail was stored or, before its first mail, the time when the connection began. */
  readonly lastProgress: number
}

/** The reply to a new connection when there are too many. */
export const tooManyConnections: Reply = { code: 421, text: '4.3.2 Too many connections, try again later' }

/**
 * Decides whether a new connection is accepted. Returns undefined to accept it, or the reply that refuses it. Returns
 * `drop` to close it without a reply, because the client already has too many refused connections. Returns `{ replaces
 * }` to close another connection for the new one. Each address that is not trusted has a limit, and all of these
 * addresses together leave a tenth of all connections free for trusted clients. A trusted address can take up half of
 * all connections. When all connections are in use, a new connection replaces a connection of the address with the most
 * connections, if the new client's address has fewer.
 */
export function connectionProblem<P extends Peer>(
  { network, isTrusted }: Pick<Peer, 'network' | 'isTrusted'>,
  others: Iterable<P>,
  { maxConnections: all, maxConnectionsPerAddress: perAddress }: ConnectionSettings,
): Reply | 'drop' | { readonly replaces: P } | undefined {
  let [own, open, openUntrusted] = [0, 0, 0]
  const openByNetwork = new Map<string, number>()
  for (const other of others) {
    if (other.network === network) own++
    if (other.isClosing) continue
    open++
    if (!other.isTrusted) openUntrusted++
    openByNetwork.set(other.network, (openByNetwork.get(other.network) ?? 0) + 1)
  }
  const ownOpen = openByNetwork.get(network) ?? 0
  const limit = isTrusted ? Math.max(perAddress, Math.ceil(all / 2)) : perAddress
  if (own >= 2 * limit) return 'drop'
  if (ownOpen >= limit)
    return { code: 421, text: '4.7.0 Too many connections from your address, try again later' }
  const reserve = Math.floor(all / 10)
  if (open < all && (isTrusted || openUntrusted < all - reserve)) return undefined
  let replaces: P | undefined
  let most = ownOpen + 1
  for (const other of others) {
    if (other.isClosing || other.isStoring || (other.isTrusted && !isTrusted)) continue
    const count = openByNetwork.get(other.network)!
    if (count < most || (replaces === undefined && count === most)) continue
    if (count > most || isMoreExpendable(other, replaces!)) replaces = other
    most = count
  }
  return replaces === undefined ? tooManyConnections : { replaces }
}

/**
 * Returns the connection that gives way when the process has no more descriptors: one on which the last reply was sent,
 * or else the most expendable one. Returns undefined while a mail is being stored on each connection.
 */
export function mostExpendable<P extends Peer>(all: Iterable<P>): P | undefined {
  let found: P | undefined
  for (const each of all) {
    if (each.isClosing) return each
    if (!each.isStoring && (found === undefined || isMoreExpendable(each, found))) found = each
  }
  return found
}

/**
 * Returns whether to close `one` rather than `other`. A connection that is receiving a mail is kept if the other
 * connection is not. Otherwise, the connection whose last progress is older is closed.
 */
function isMoreExpendable(one: Peer, other: Peer): boolean {
  return one.isReceiving === other.isReceiving ? one.lastProgress < other.lastProgress : other.isReceiving
}

export type ConnectionSettings = Pick<MailSettings, 'maxConnections' | 'maxConnectionsPerAddress'>
