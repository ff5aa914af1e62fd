import type { SesRecord } from './ses-record.ts'

/** Returns the record of an event that a receipt rule of SES sends, or undefined for any other event. */
export function sesRecordOf(event: unknown): SesRecord | undefined {
  const { Records: records } = Object(event) as { readonly Records?: unknown }
  const [first] = Array.isArray(records) ? (records as readonly unknown[]) : []
  return (Object(first) as SesRecord).eventSource === 'aws:ses' ? (first as SesRecord) : undefined
}

/**
 * Returns the event of the contract for a mail that SES has received: docs/contract/mail-flow.md#event. Never throws for
 * JSON values. What a record lacks is missing in the event, too, so that the check of the event names it.
 * @param invocationId identifies the invocation, and is the same for its retries
 */
export function mailEventOf(record: SesRecord, invocationId: string | undefined) {
  const { mail, receipt } = partsOf(record)
  const { source, messageId, headersTruncated } = mail
  const { from, subject } = Object(mail.commonHeaders) as Partial<SesRecord['ses']['mail']['commonHeaders']>
  const { recipients } = receipt
  return {
    summaryVersion: '2019-07-28',
    envelope: {
      // A report has no sender.
      mailFrom: { address: source === '<>' ? '' : source },
      recipients: Array.isArray(recipients) ? recipients.map(address => ({ address })) : recipients,
    },
    sender: { address: addressIn(Array.isArray(from) ? from[0] : undefined) },
    // Characters are code points: an emoji is one.
    subject: typeof subject === 'string' ? Array.from(subject.slice(0, 512)).slice(0, 256).join('') : '',
    messageId,
    invocationId: invocationId ?? messageId,
    flowDirection: 'INBOUND',
    truncated: String(headersTruncated) === 'true',
    authentication: authenticationOf(receipt),
    sesRecord: record,
  }
}

/** Returns the two parts of a record, each of which may lack any field. */
export function partsOf(record: SesRecord) {
  const { mail, receipt } = Object(record.ses) as Partial<SesRecord['ses']>
  return {
    mail: Object(mail) as Partial<SesRecord['ses']['mail']>,
    receipt: Object(receipt) as Partial<SesRecord['ses']['receipt']>,
  }
}

/** Returns the address in a header such as `"Doe, John" <john@example.com>`. It is empty if there is none. */
function addressIn(header: unknown): string {
  const text = typeof header === 'string' ? header.trim() : ''
  return /<([^<>]*)>$/.exec(text)?.[1] ?? text
}

/**
 * The words of RFC 8601 for the results of SES. `GRAY` means that there is no SPF policy, no signature, or, for a mail that
 * fails DMARC, no policy of the author's domain, or the policy none.
 */
const results: { readonly [status: string]: string } = {
  PASS: 'pass',
  FAIL: 'fail',
  GRAY: 'none',
  PROCESSING_FAILED: 'temperror',
}

function authenticationOf({
  spfVerdict,
  dkimVerdict,
  dmarcVerdict,
  dmarcPolicy,
}: Partial<SesRecord['ses']['receipt']>) {
  const [spf, dkim, dmarc] = [spfVerdict, dkimVerdict, dmarcVerdict].map(verdict => {
    const { status } = Object(verdict) as { readonly status?: unknown }
    const result = typeof status === 'string' && Object.hasOwn(results, status) ? results[status] : undefined
    return result === undefined ? undefined : { result }
  })
  return {
    ...(spf && { spf }),
    ...(dkim && { dkim: [dkim] }),
    ...(dmarc && {
      dmarc: typeof dmarcPolicy === 'string' ? { ...dmarc, policy: dmarcPolicy.toLowerCase() } : dmarc,
    }),
  }
}
