import { addressKey, outboundRecipientsLimit } from '@signalbox/mail-flow/contract'
import type { MailSettings } from '../../config/mail-settings.ts'
import { directionOf } from '../../routing.ts'
import type { Reply } from '../reply.ts'
import { readRecipient } from './recipient.ts'
import { readSender, type Sender } from './sender.ts'

/** The sender and the recipients that a client has named for its next mail. */
export interface Envelope {
  /** Replies to `MAIL FROM:<…>`. `refuse` returns the reply to a sender that the client may not use. */
  readonly setSender: (line: Buffer, refuse: (address: string) => Reply | undefined) => Reply
  /** Replies to `RCPT TO:<…>`. `isTrusted` says whether the client may send mail to other domains. */
  readonly addRecipient: (line: Buffer, isTrusted: boolean) => Reply
  /** Returns the envelope, or undefined until it has a sender and a recipient. */
  readonly complete: () =>
    | {
        readonly from: string
        readonly utf8: boolean
        readonly recipients: readonly string[]
        /** The recipient of each RCPT that was accepted, in order. LMTP has a reply for each of them. */
        readonly accepted: readonly string[]
      }
    | undefined
  readonly isEmpty: () => boolean
  readonly reset: () => void
}

/**
 * Returns an empty envelope for a connection.
 * @param onRecipient is called when a new recipient is added
 */
export function newEnvelope(settings: MailSettings, onRecipient: () => void): Envelope {
  let sender: Sender | undefined
  let recipients = new Map<string, string>()
  let keys: string[] = []
  let outboundRecipients = 0

  return {
    setSender(line, refuse) {
      if (sender !== undefined) return { code: 503, text: '5.5.1 Sender already specified' }
      const read = readSender(line, settings.maxSize)
      if ('code' in read) return read
      const refusal = refuse(read.address)
      if (refusal !== undefined) return refusal
      sender = read
      return { code: 250, text: '2.1.0 Sender accepted' }
    },

    addRecipient(line, trusted) {
      if (sender === undefined) return { code: 503, text: '5.5.1 Send MAIL first' }
      const recipient = readRecipient(line, { trusted, utf8: sender.utf8 }, settings)
      if (typeof recipient !== 'string') return recipient
      const accepted = { code: 250, text: '2.1.5 Recipient accepted' }
      const key = addressKey(recipient)
      if (recipients.has(key)) {
        keys.push(key)
        return accepted
      }
      if (recipients.size >= settings.maxRecipients)
        return { code: 452, text: `4.5.3 Too many recipients: at most ${settings.maxRecipients}` }
      if (directionOf(recipient, settings) === 'OUTBOUND') {
        if (outboundRecipients >= outboundRecipientsLimit && hasOutboundLimit(settings))
          return {
            code: 452,
            text: `4.5.3 Too many recipients in other domains: at most ${outboundRecipientsLimit}`,
          }
        outboundRecipients++
      }
      recipients.set(key, recipient)
      keys.push(key)
      onRecipient()
      return accepted
    },

    complete: () =>
      sender === undefined || recipients.size === 0
        ? undefined
        : {
            ...{ from: sender.address, utf8: sender.utf8, recipients: [...recipients.values()] },
            accepted: keys.map(key => recipients.get(key)!),
          },

    isEmpty: () => sender === undefined,

    reset() {
      sender = undefined
      recipients = new Map()
      keys = []
      outboundRecipients = 0
    },
  }
}

/**
 * Returns whether the number of recipients in other domains has a limit, because a function decides on them:
 * docs/contract/mail-flow.md#limits.outboundRecipients.
 */
export function hasOutboundLimit({ rules }: Pick<MailSettings, 'rules'>): boolean {
  return rules.some(({ direction, mode }) => direction === 'OUTBOUND' && mode === 'sync')
}
