import type { MailSettings } from '../../config/mail-settings.ts'
import type { Reply } from '../reply.ts'

/** The client of a connection. */
export interface Peer {
  /** The result of `clientNetwork`. */
  readonly network: string
  readonly isTrusted: boolean
  /** Whether the last reply was sent. */
  readonly isClosing: boolean
  /** Whether a mail is being transferred. */
  readonly isReceiving: boolean
  /** Whether a mail is being stored. */
  readonly isStoring: boolean
  /** The time when its last mail was stored or, before that, when it connected. */
  readonly lastProgress: number
}

/** The reply to a connection when all places are taken. */
export const tooManyConnections: Reply = { code: 421, text: '4.3.2 Too many connections, try again later' }

/**
 * The reply that refuses a new connection; `drop` for a client with so many refused connections that it gets no reply;
 * or `{ replaces }`, the connection whose place the new one takes. Clients that are not trusted have a limit for each
 * address, and together leave a tenth of all connections to trusted clients. One trusted address has at most half of all.
 * When all places are taken, the address with the most connections gives one up for an address that has fewer.
 */
export function connectionProblem<P extends Peer>(
  { network, isTrusted }: Pick<Peer, 'network' | 'isTrusted'>,
  others: Iterable<P>,
  { connectionsLimit: all, connectionsPerAddress: perAddress }: ConnectionSettings,
): Reply | 'drop' | { readonly replaces: P } | undefined {
  let [own, open, openUntrusted] = [0, 0, 0]
  const byNetwork = new Map<string, P[]>()
  for (const other of others) {
    if (other.network === network) own++
    if (other.isClosing) continue
    open++
    if (!other.isTrusted) openUntrusted++
    const known = byNetwork.get(other.network)
    if (known === undefined) byNetwork.set(other.network, [other])
    else known.push(other)
  }
  const ownOpen = byNetwork.get(network)?.length ?? 0
  const limit = isTrusted ? Math.max(perAddress, Math.ceil(all / 2)) : perAddress
  if (own >= 2 * limit) return 'drop'
  if (ownOpen >= limit)
    return { code: 421, text: '4.7.0 Too many connections from your address, try again later' }
  const reserve = Math.floor(all / 10)
  if (open < all && (isTrusted || openUntrusted < all - reserve)) return undefined
  const largestPeers = largest(
    Array.from(byNetwork.values()).filter(peers => isTrusted || !peers[0]!.isTrusted),
  )
  const replaces = largestPeers.length > ownOpen + 1 ? mostExpendable(largestPeers) : undefined
  return replaces === undefined ? tooManyConnections : { replaces }
}

function largest<P>(lists: readonly (readonly P[])[]): readonly P[] {
  return lists.reduce((most, each) => (each.length > most.length ? each : most), [])
}

/** The connection that has brought no mail for longest, and one whose mail is on its way only when there is no other. */
function mostExpendable<P extends Peer>(peers: readonly P[]): P | undefined {
  return peers
    .filter(({ isStoring }) => !isStoring)
    .sort(
      (one, other) =>
        Number(one.isReceiving) - Number(other.isReceiving) || one.lastProgress - other.lastProgress,
    )[0]
}

export type ConnectionSettings = Pick<MailSettings, 'connectionsLimit' | 'connectionsPerAddress'>
