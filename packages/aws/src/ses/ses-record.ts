/** The record of a mail in the event that the Lambda action of an SES receipt rule sends. It has the headers, but no body. */
export interface SesRecord {
  eventSource: string
  eventVersion: string
  ses: {
    mail: {
      timestamp: string
      /** The sender of the envelope. */
      source: string
      /** Identifies the mail. It is the key of the object when an S3 action of the rule has stored the mail. */
      messageId: string
      /** The recipients in the headers. `receipt` has those of the envelope. */
      destination: string[]
      headersTruncated: boolean
      headers: { name: string; value: string }[]
      commonHeaders: {
        returnPath: string
        from?: string[] | undefined
        date: string
        to?: string[] | undefined
        cc?: string[] | undefined
        bcc?: string[] | undefined
        sender?: string[] | undefined
        replyTo?: string[] | undefined
        messageId: string
        subject?: string | undefined
      }
    }
    receipt: {
      timestamp: string
      processingTimeMillis: number
      /** The recipients of the envelope that the receipt rule matches. */
      recipients: string[]
      spamVerdict: SesVerdict
      virusVerdict: SesVerdict
      spfVerdict: SesVerdict
      dkimVerdict: SesVerdict
      dmarcVerdict: SesVerdict
      /** What the domain of the author asks for. Only in mail that fails DMARC. */
      dmarcPolicy?: 'none' | 'quarantine' | 'reject' | undefined
      action: {
        type: 'Lambda'
        topicArn?: string | undefined
        functionArn: string
        /** With `RequestResponse`, SES waits for the decision. With `Event`, it ignores it. */
        invocationType: string
      }
    }
  }
}

/**
 * The result of a check by SES. `GRAY` means that there is no SPF policy, no signature, or that the mail fails DMARC and the
 * domain of the author asks for nothing; for spam and viruses it means that SES is not sure.
 */
interface SesVerdict {
  status: 'PASS' | 'FAIL' | 'GRAY' | 'PROCESSING_FAILED' | 'DISABLED'
}

/** What a function answers to a receipt rule. `CONTINUE` is the mail's usual way, and `STOP_RULE_SET` ends it. */
export interface SesResult {
  disposition: 'CONTINUE' | 'STOP_RULE_SET'
}

/**
 * Returns the record of SES from which `sesMail` made the event of a mail, with all headers, and the verdicts on spam and
 * viruses. Returns undefined for mail of other platforms.
 * @example
 * ```ts
 * import { sesRecord } from '@signalbox/aws'
 * import { mailFlow } from '@signalbox/mail-flow'
 *
 * mailFlow((mail, actions) => {
 *   const isVirus = sesRecord(mail)?.ses.receipt.virusVerdict.status === 'FAIL'
 *   return isVirus ? actions.drop() : actions.default()
 * })
 * ```
 */
export function sesRecord(mail: object): SesRecord | undefined {
  return (mail as { readonly sesRecord?: SesRecord }).sesRecord
}
