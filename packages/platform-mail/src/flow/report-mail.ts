import type { Clock } from '@signalbox/core'
import { type Random, randomUuid } from '@signalbox/platform-runtime'
import type { MailSettings } from '../config/mail-settings.ts'
import { type FailedRecipient, failureReport } from '../message/failure-report.ts'
import { mailHead } from '../message/mail-head.ts'
import { destinationOf, directionOf, isRecipient } from '../routing.ts'
import type { Disposition, NewMail, StoredMail } from '../store/mail-store.ts'

/**
 * Returns the mail that reports failed recipients to the sender (a DSN). It has the null sender, so that it cannot
 * bounce, and it invokes no function. Returns undefined if there are no failed recipients, if the mail has no
 * sender, or if the mail was deleted in the meantime.
 */
export async function reportMail(
  mail: Pick<StoredMail, 'id' | 'from' | 'receivedAt'>,
  read: () => Promise<Buffer | undefined>,
  recipients: readonly FailedRecipient[],
  settings: Pick<MailSettings, 'name' | 'domains' | 'relay'>,
  {
    now,
    clock,
    random,
  }: { readonly now: number; readonly clock: Pick<Clock, 'wall'>; readonly random: Random },
): Promise<NewMail | undefined> {
  if (recipients.length === 0 || mail.from === '') return undefined
  const raw = await read()
  if (raw === undefined) return undefined
  const { id, from, receivedAt } = mail
  const { name } = settings
  const reportId = randomUuid(random)
  const dates = { receivedAt: clock.wall(receivedAt), now: clock.wall(now) }
  const report = await failureReport({ id, from, raw, recipients, name, reportId, ...dates })
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
    utf8: false,
    raw: report,
    recipients: [{ address: from, direction, ...reportDisposition(from, settings) }],
    invocations: [],
  }
}

function reportDisposition(to: string, settings: Pick<MailSettings, 'domains' | 'relay'>): Disposition {
  const direction = directionOf(to, settings)
  if (direction === 'INBOUND' && !isRecipient(to, settings))
    return { state: 'failed', why: 'the sender has no mailbox' }
  if (direction === 'OUTBOUND' && settings.relay === undefined)
    return { state: 'failed', why: 'the sender is in another domain, and there is no relay' }
  return {
    state: 'delivering',
    destination: destinationOf(to, 'usual', false, settings),
    why: 'a report about a mail that was not delivered',
  }
}
