import { type Random, randomUuid } from '@signalbox/platform-runtime'
import type { MailSettings } from '../config/mail-settings.ts'
import { directionOf, hasMailbox, usualWay } from '../mailboxes.ts'
import { type FailedRecipient, failureReport } from '../message/failure-report.ts'
import { mailHead } from '../message/mail-head.ts'
import type { MailRow } from '../store/mail-rows.ts'
import type { NewMail } from '../store/mail-store.ts'
import type { Fate } from '../store/recipient-rows.ts'

/**
 * The mail that tells a sender for whom their mail was not delivered. It is from nobody, so that nothing can come back
 * from it, and no function is asked about it. Undefined when nobody failed, and when there is nobody to tell.
 */
export async function reportMail(
  mail: MailRow,
  raw: () => Buffer,
  recipients: readonly FailedRecipient[],
  settings: Pick<MailSettings, 'name' | 'mailboxes' | 'relay'>,
  { now, random }: { readonly now: number; readonly random: Random },
): Promise<NewMail | undefined> {
  if (recipients.length === 0 || mail.from === '') return undefined
  const { id, from, receivedAt } = mail
  const { name } = settings
  const reportId = randomUuid(random)
  const report = await failureReport({ id, from, receivedAt, raw: raw(), recipients, name, now, reportId })
  const { sender, subject } = mailHead(report)
  const direction = directionOf(from, settings)
  return {
    id: reportId,
    receivedAt: now,
    from: '',
    author: sender,
    subject,
    spam: false,
    report: true,
    raw: report,
    recipients: [{ address: from, direction, ...fateOfReport(from, settings) }],
    invocations: [],
  }
}

function fateOfReport(to: string, settings: Pick<MailSettings, 'mailboxes' | 'relay'>): Fate {
  const direction = directionOf(to, settings)
  if (direction === 'INBOUND' && !hasMailbox(to, settings))
    return { state: 'failed', why: 'the sender has no mailbox' }
  if (direction === 'OUTBOUND' && settings.relay === undefined)
    return { state: 'failed', why: 'the sender is elsewhere, and there is no relay' }
  return {
    state: 'delivering',
    way: usualWay(direction, false, settings),
    why: 'a report about what was not delivered',
  }
}
