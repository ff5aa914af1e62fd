import { refuseUnknownOptions } from '@signalbox/core/base'
import type { SesRecord } from '../ses/ses-record.ts'

/** Options of `sesEvent`. */
export interface SesEventOptions {
  /** The id that SES gave to the mail. Default: the `messageId` of the event. */
  readonly messageId?: string
  /** Whether SES waits for the decision. Default: `RequestResponse`. */
  readonly invocationType?: 'RequestResponse' | 'Event'
  readonly spam?: Status
  readonly virus?: Status
}

type Status = SesRecord['ses']['receipt']['spamVerdict']['status']

/** The part of a mail event that a receipt rule of SES sends, too. */
interface InboundMail {
  readonly envelope: {
    readonly mailFrom: { readonly address: string }
    readonly recipients: readonly { readonly address: string }[]
  }
  readonly sender: { readonly address: string }
  readonly subject: string
  readonly messageId: string
  readonly truncated: boolean
  readonly authentication?:
    | {
        readonly spf?: Result | null | undefined
        readonly dkim?: readonly Result[] | null | undefined
        readonly dmarc?: (Result & { readonly policy?: string | null | undefined }) | null | undefined
      }
    | null
    | undefined
}

interface Result {
  readonly result: string
}

/**
 * Turns a mail event from a builder into the event that the Lambda action of an SES receipt rule sends. Use it to test
 * handlers that `sesMail()` returns. Facts about the client are left out, because SES does not say them.
 * @throws InvalidOptionError for an unknown option
 * @example
 * ```ts
 * import { sesEvent } from '@signalbox/aws/testing'
 * import { mailEvent } from '@signalbox/mail-flow/testing'
 *
 * const event = sesEvent(mailEvent({ recipients: ['ann@office.example'] }), { spam: 'FAIL' })
 * event.Records[0]?.eventSource // 'aws:ses'
 * ```
 */
export function sesEvent(event: InboundMail, options: SesEventOptions = {}): { Records: SesRecord[] } {
  refuseUnknownOptions('sesEvent()', options, ['messageId', 'invocationType', 'spam', 'virus'])
  const { messageId = event.messageId, invocationType = 'RequestResponse', spam, virus } = options
  const { spf, dkim, dmarc } = event.authentication ?? {}
  const recipients = event.envelope.recipients.map(({ address }) => address)
  const source = event.envelope.mailFrom.address
  const from = event.sender.address === '' ? [] : [`"The author" <${event.sender.address}>`]
  const timestamp = '2026-01-05T08:00:00.000Z'
  const date = 'Mon, 5 Jan 2026 08:00:00 +0000'
  const status = (result: Result | null | undefined) => ({ status: statusOf(result?.result) })
  const record: SesRecord = {
    eventSource: 'aws:ses',
    eventVersion: '1.0',
    ses: {
      mail: {
        timestamp,
        source,
        messageId,
        destination: [...recipients],
        headersTruncated: event.truncated,
        headers: [
          { name: 'Return-Path', value: `<${source}>` },
          ...from.map(value => ({ name: 'From', value })),
          { name: 'To', value: recipients.join(', ') },
          { name: 'Subject', value: event.subject },
          { name: 'Date', value: date },
        ],
        commonHeaders: {
          returnPath: source,
          ...(from.length > 0 && { from }),
          date,
          to: [...recipients],
          messageId: '<7@partner.example>',
          subject: event.subject,
        },
      },
      receipt: {
        timestamp,
        processingTimeMillis: 1205,
        recipients,
        spamVerdict: { status: spam ?? 'PASS' },
        virusVerdict: { status: virus ?? 'PASS' },
        spfVerdict: status(spf),
        dkimVerdict: status(dkim?.[0]),
        dmarcVerdict: status(dmarc),
        ...(dmarc?.result === 'fail' && { dmarcPolicy: policyOf(dmarc.policy) }),
        action: {
          type: 'Lambda',
          functionArn: 'arn:aws:lambda:eu-central-1:111122223333:function:mailroom',
          invocationType,
        },
      },
    },
  }
  return { Records: [record] }
}

function statusOf(result: string | undefined): Status {
  if (result === undefined) return 'DISABLED'
  if (result === 'pass') return 'PASS'
  if (result === 'temperror') return 'PROCESSING_FAILED'
  return result === 'none' || result === 'neutral' ? 'GRAY' : 'FAIL'
}

function policyOf(policy: string | null | undefined): 'none' | 'quarantine' | 'reject' {
  return policy === 'quarantine' || policy === 'reject' ? policy : 'none'
}
