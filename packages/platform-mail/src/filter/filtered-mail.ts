import { addressKey, outboundRecipientsLimit } from '@signalbox/mail-flow/contract'
import { hasOutboundLimit } from '../api/commands/envelope.ts'
import type { OfferedMail } from '../api/decision.ts'
import type { Reply } from '../api/reply.ts'
import type { MailSettings } from '../config/mail-settings.ts'
import type { MailFacts } from '../store/mail-facts.ts'
import type { Direction } from '../store/mail-store.ts'

/** A recipient of a mail, with what the mail server needs to find it again. */
export interface FilteredRecipient<Path> {
  readonly address: string
  readonly direction: Direction
  /** The recipient as the mail server named it. There are several if the client named it several times. */
  readonly paths: readonly Path[]
}

/** What the mail server lets its filter change of the content of a mail. */
export type ContentChanges = Pick<OfferedMail, 'frozen' | 'contentProblem'>

/** A mail about which another mail server asks. */
export interface FilteredMail<Path> {
  readonly from: string
  readonly utf8: boolean
  /** What is known about the client. */
  readonly facts: MailFacts | undefined
  readonly recipients: readonly FilteredRecipient<Path>[]
  readonly raw: Buffer
  readonly changes: ContentChanges
  /** The number of spam flags in its head, and whether one of them says yes. */
  readonly spamFlags: { readonly count: number; readonly isSet: boolean }
}

/** The recipients of a mail, each of them once. */
export interface RecipientList<Path> {
  readonly add: (located: Pick<FilteredRecipient<Path>, 'address' | 'direction'>, path: Path) => void
  readonly isEmpty: () => boolean
  readonly recipients: () => readonly FilteredRecipient<Path>[]
  /** Returns the reply that refuses the mail, or undefined if it does not have too many recipients. */
  readonly refusal: () => Reply | undefined
}

/**
 * Begins a list of recipients.
 * @param isSame whether two paths are the same, so that the second one adds nothing
 */
export function recipientList<Path>(
  { maxRecipients, rules }: Pick<MailSettings, 'maxRecipients' | 'rules'>,
  isSame: (one: Path, other: Path) => boolean,
): RecipientList<Path> {
  const byKey = new Map<string, FilteredRecipient<Path> & { readonly paths: Path[] }>()
  let count = 0
  return {
    add(located, path) {
      const key = addressKey(located.address)
      const known = byKey.get(key)
      if (known?.paths.some(each => isSame(each, path)) === true) return
      // An address can be written in many ways, and each of them takes memory.
      if (++count > maxRecipients) return
      if (known === undefined) byKey.set(key, { ...located, paths: [path] })
      else known.paths.push(path)
    },
    isEmpty: () => byKey.size === 0,
    recipients: () => [...byKey.values()],
    refusal() {
      const outbound = [...byKey.values()].filter(({ direction }) => direction === 'OUTBOUND')
      const mostOutbound = hasOutboundLimit({ rules }) ? outboundRecipientsLimit : maxRecipients
      return count > maxRecipients || outbound.length > mostOutbound
        ? { code: 550, text: `5.5.3 Too many recipients: at most ${Math.min(mostOutbound, maxRecipients)}` }
        : undefined
    },
  }
}
