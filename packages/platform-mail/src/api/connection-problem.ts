import type { MailSettings } from '../config/mail-settings.ts'
import type { Reply } from './reply.ts'

/** Who is at the other end of a connection. */
export interface Peer {
  /** As `clientNetwork` has it. */
  readonly network: string
  readonly isTrusted: boolean
  /** It has had its last reply. */
  readonly isClosing: boolean
}

/**
 * Why a new connection is not taken, or `drop` when so many of the client's have been refused that it gets no reply either.
 * A client that is not trusted cannot take up every connection, and all of them together leave a tenth to those that
 * are; one that is trusted has at most half.
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
    return { code: 421, text: '4.7.0 Too many connections from your address, come again later' }
  const reserve = Math.floor(all / 10)
  if (open >= all || (!isTrusted && openUntrusted >= all - reserve))
    return { code: 421, text: '4.3.2 There are too many connections, come again later' }
  return undefined
}

export type ConnectionSettings = Pick<MailSettings, 'connectionsLimit' | 'connectionsPerAddress'>
