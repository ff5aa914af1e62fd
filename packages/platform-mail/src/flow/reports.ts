import type { SourceContext } from '@signalbox/platform-runtime'
import { partsOf } from '../address-pattern.ts'
import type { MailSettings } from '../config/mail-settings.ts'
import { hourlyCounts } from '../hourly-counts.ts'
import type { FailedRecipient } from '../message/failure-report.ts'
import type { MailFacts } from '../store/mail-facts.ts'
import type { Disposition, NewMail, StoredMail } from '../store/mail-store.ts'
import { reportMail } from './report-mail.ts'

/** A recipient with a new disposition. If the mail bounces, its sender gets the status and the text. */
interface Reportable extends Disposition, FailedRecipient {}

/** Writes the reports to the senders of mails that bounce. */
export type Reports = <R extends Reportable>(
  mail: Omit<StoredMail, 'sequence' | 'size'>,
  read: () => Promise<Buffer | undefined>,
  recipients: readonly R[],
) => Promise<{
  /** The given recipients. When the sender gets no report, those that bounced have the state `failed`. */
  readonly dispositions: readonly R[]
  readonly report: NewMail | undefined
}>

/** Returns a function that writes reports, within the limit for the domains of senders. */
export function reports(
  settings: Pick<MailSettings, 'name' | 'domains' | 'relay' | 'maxReports'>,
  { clock, random }: Pick<SourceContext, 'clock' | 'random'>,
): Reports {
  const counts = hourlyCounts(settings.maxReports, clock)

  /** Returns the reason why the sender of a mail gets no report, for all doors and for all reasons of a report. */
  const refusal = ({ from, facts }: Pick<StoredMail, 'from' | 'facts'>): string | undefined => {
    if (isForged(facts)) return 'no report, because SPF and DMARC say that the sender is forged'
    const { domain } = partsOf(from)
    if (counts.isOver(domain)) return `no report, because ${domain} got ${settings.maxReports} within an hour`
    counts.add(domain)
    return undefined
  }

  return async (mail, read, recipients) => {
    const bounced = recipients.filter(({ state }) => state === 'bounced')
    if (bounced.length === 0) return { dispositions: recipients, report: undefined }
    const why = mail.from === '' ? undefined : refusal(mail)
    if (why !== undefined) {
      const unreported = recipients.map(each =>
        each.state === 'bounced' ? { ...each, state: 'failed' as const, why: `${each.why}; ${why}` } : each,
      )
      return { dispositions: unreported, report: undefined }
    }
    const report = await reportMail(mail, read, bounced, settings, { now: clock.now(), clock, random })
    // A report belongs to the trace of its mail.
    const { trace } = mail.facts ?? {}
    return {
      dispositions: recipients,
      report: report && trace !== undefined ? { ...report, facts: { trace } } : report,
    }
  }
}

/** Returns whether SPF and DMARC both failed. A report would go to the victim of a forgery. */
function isForged({ authentication }: MailFacts = {}): boolean {
  const spf = authentication?.spf?.result
  return (spf === 'fail' || spf === 'softfail') && authentication?.dmarc?.result === 'fail'
}
