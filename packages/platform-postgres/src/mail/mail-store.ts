import { systemClock } from '@signalbox/core/base'
import { type MailStore, workQueues } from '@signalbox/platform-mail/store'
import type { Notifications } from '../notifications.ts'
import { timeOf, type WorkParts } from '../work/work-queue.ts'
import { workTable } from '../work/work-table.ts'
import { acceptMail } from './accept-mail.ts'
import { earlyDecisions } from './early-decisions.ts'
import { pendingDeliveries } from './pending-deliveries.ts'
import { pendingInvocations } from './pending-invocations.ts'
import { queuedMails } from './queued-mails.ts'
import { forgetMails } from './remove-mails.ts'
import { counts, states } from './states.ts'

/** The parts of the engine that the store uses. */
export interface MailStoreParts extends WorkParts {
  readonly notifications: Notifications
}

/** Milliseconds after which a platform looks for due work even without a notification, because one may be lost. */
const pollInterval = 2000

/**
 * Opens the mail store in PostgreSQL, which several platforms share. A time that a caller passes is converted to a
 * duration from the caller's `now`. The database adds this duration to its own time.
 */
export function mailStore(parts: MailStoreParts): MailStore {
  const { database, notifications, periodic, platformId, usesGivenTime } = parts
  const { query } = database
  const at = timeOf(parts)
  const work = workTable('mail_work', platformId, at, 'owner not in (select mail from held)')
  const invocations = pendingInvocations(database, work, at)
  const deliveries = pendingDeliveries(database, work, at)
  const queued = queuedMails(database, at)
  const early = earlyDecisions(database, at)

  /** Returns a function that makes the change, and then notifies the other platforms that there may be work. */
  const notifying =
    <Arguments extends readonly unknown[], Result>(change: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      const result = await change(...given)
      notifications.notify('mail')
      return result
    }

  return {
    accept: notifying((mail, decided) => acceptMail(database, mail, decided, at(mail.receivedAt))),

    earlyDecisions: early.earlyDecisions,
    rememberEarly: early.rememberEarly,
    forgetEarly: until =>
      usesGivenTime ? early.forget(Math.floor(until), 0) : early.forget(null, systemClock.now() - until),

    async raw(id) {
      const [row] = await query<{ raw: Buffer }>('select raw from mails where id = $1', [id])
      return row?.raw
    },

    states: () => states(query),
    counts: () => counts(query),

    async awaitedFunctions() {
      const rows = await query<{ queue: string }>(
        `select distinct queue from mail_work where queue like '${workQueues.decisions}%'`,
      )
      return rows.map(({ queue }) => queue.slice(workQueues.decisions.length))
    },

    claimInvocations: invocations.claimInvocations,
    postponeInvocation: notifying(invocations.postponeInvocation),
    concludeInvocation: notifying(invocations.concludeInvocation),
    claimDeliveries: deliveries.claimDeliveries,
    concludeDelivery: notifying(deliveries.concludeDelivery),

    giveBack: notifying((each, dueAt, now) => work.giveBack(query, each, dueAt, now)),
    unclaim: notifying(each => work.unclaim(query, each)),

    forget: until =>
      usesGivenTime
        ? forgetMails(database, Math.floor(until), 0)
        : forgetMails(database, null, systemClock.now() - until),

    /** Does nothing, because the clock of the database decides, not the clock of a platform. */
    async correctTimes() {},

    watch(changed) {
      const stopListening = notifications.listen(topic => {
        if (topic === undefined || topic === 'mail') changed()
      })
      const stopPolling = periodic.each('mail', pollInterval, async () => changed())
      return () => {
        stopListening()
        void stopPolling()
      }
    },

    flush: notifying(queued.flush),
    hold: notifying(queued.hold),
    release: notifying(queued.release),
    remove: notifying(queued.remove),

    close: () => database.idle(),
  }
}
