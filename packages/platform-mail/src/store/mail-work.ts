import type { ClaimedWork, NewWork } from '@signalbox/platform-runtime/work'
import type { MailRule } from '../config/mail-settings.ts'
import type { Carrier, Delivery, Invocation, Postponement, RecipientReport } from './mail-store.ts'

/** The beginnings of the names of the queues of mail. A function or a carrier follows. */
export const workQueues = { decisions: 'decide ', deliveries: 'deliver ' } as const

/** The data of work that invokes a function. */
interface InvocationData {
  readonly rule: MailRule
  readonly attempts: number
  /** Milliseconds from the arrival of the mail to the first failure. Null before it. */
  readonly failedAfter: number | null
  readonly why: string
  readonly next: Invocation['next']
}

/** The data of work that delivers a mail. */
interface DeliveryData {
  readonly attempts: number
}

/** Returns the work that invokes a function with a mail. */
export function invocationWork(mail: string, id: string, rule: MailRule): NewWork {
  const data: InvocationData = { rule, attempts: 0, failedAfter: null, why: '', next: 'attempt' }
  return {
    queue: workQueues.decisions + rule.functionName,
    key: id,
    owner: mail,
    data: JSON.stringify(data),
  }
}

/** Returns the work that delivers a mail. */
export function deliveryWork(mail: string, carrier: Carrier): NewWork {
  return {
    queue: workQueues.deliveries + carrier,
    key: `${carrier} ${mail}`,
    owner: mail,
    data: deliveryData(0),
  }
}

/** Returns the data of a delivery in a work queue: the number of its attempts so far. */
export function deliveryData(attempts: number): string {
  return JSON.stringify({ attempts } satisfies DeliveryData)
}

/** Returns the data of an invocation after a failed attempt. */
export function postponedData({ rule, work }: Invocation, how: Postponement): string {
  const { attempts, firstFailedAt, why, next } = how
  const data: InvocationData = { rule, attempts, failedAfter: firstFailedAt - work.putAt, why, next }
  return JSON.stringify(data)
}

/** Returns the invocation that claimed work does. */
export function invocationOf(work: ClaimedWork): Invocation {
  const { failedAfter, ...data } = JSON.parse(work.data) as InvocationData
  const firstFailedAt = failedAfter === null ? undefined : work.putAt + failedAfter
  return { ...data, id: work.key, mail: work.owner, firstFailedAt, work }
}

/** Returns the delivery that claimed work does. */
export function deliveryOf(work: ClaimedWork): Delivery {
  const { attempts } = JSON.parse(work.data) as DeliveryData
  const carrier = work.queue.slice(workQueues.deliveries.length) as Carrier
  return { mail: work.owner, carrier, since: work.putAt, attempts, work }
}

/**
 * Completes the report about a recipient.
 * @param data the data of the work that decides on the recipient, or null
 */
export function recipientReport(report: RecipientReport, data: string | null): RecipientReport {
  if (report.state !== 'undecided' || data === null) return report
  const { attempts, why } = JSON.parse(data) as InvocationData
  return { ...report, attempts, why: why || report.why }
}
