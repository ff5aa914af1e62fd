import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core'
import type { MailEvent } from '../contract/event.ts'
import type { MailAuthentication, MailClient } from '../contract/facts.ts'

/** The parts of the mail that a test sets. */
export interface MailEventOptions {
  /** The sender: the address in `envelope.mailFrom`. */
  readonly from?: string
  readonly recipients?: readonly string[]
  /** The address in `sender`. Default: the same as `from`. */
  readonly sender?: string
  readonly subject?: string
  /** Whether the mail leaves the organization. Default: false. */
  readonly outbound?: boolean
  readonly truncated?: boolean
  readonly summaryVersion?: string
  readonly messageId?: string
  readonly invocationId?: string
  /** The client that gave the mail to the mail server. By default, the event does not say it. */
  readonly client?: MailClient
  /** The results of SPF, DKIM and DMARC. By default, the mail was not checked. */
  readonly authentication?: MailAuthentication
}

const optionNames = [
  'from',
  'recipients',
  'sender',
  'subject',
  'outbound',
  'truncated',
  'summaryVersion',
  'messageId',
  'invocationId',
  'client',
  'authentication',
] as const satisfies readonly (keyof MailEventOptions)[]

/**
 * Returns a valid mail-flow event: an inbound mail to one recipient unless the options say otherwise.
 * @throws InvalidOptionError for an unknown option, and for recipients that are not a list of addresses
 * @example
 * ```ts
 * import { mailEvent } from '@signalbox/mail-flow/testing'
 *
 * const event = mailEvent({ from: 'rita@partner.example', recipients: ['ann@office.example'], subject: 'Offer' })
 * event.flowDirection // 'INBOUND'
 * ```
 */
export function mailEvent(options: MailEventOptions = {}): MailEvent {
  refuseUnknownOptions('mailEvent()', options, optionNames)
  const { from = 'rita@partner.example', recipients = ['ann@office.example'] } = options
  if (!Array.isArray(recipients) || !recipients.every(each => typeof each === 'string'))
    throw new InvalidOptionError("mailEvent(): recipients expects a list: recipients: ['ann@office.example']")
  return {
    summaryVersion: options.summaryVersion ?? '2019-07-28',
    envelope: { mailFrom: { address: from }, recipients: recipients.map(address => ({ address })) },
    sender: { address: options.sender ?? from },
    subject: options.subject ?? 'Minutes of Tuesday',
    messageId: options.messageId ?? '5b7e0c4a-6c7d-4b52-8f0f-1f6a2b9c3d10',
    invocationId: options.invocationId ?? 'c2f1e0d9b8a74655443322110ffeeddccbbaa998',
    flowDirection: options.outbound ? 'OUTBOUND' : 'INBOUND',
    truncated: options.truncated ?? false,
    ...(options.client !== undefined && { client: options.client }),
    ...(options.authentication !== undefined && { authentication: options.authentication }),
  }
}
