import {
  carrierOf,
  type Destination,
  deliveryData,
  deliveryOf,
  deliveryWork,
  type MailStore,
  workQueues,
} from '@signalbox/platform-mail/store'
import type { Database, Query } from '../database.ts'
import type { WorkTable } from '../work/work-table.ts'
import { claimMails } from './claim-mails.ts'
import { insertMail } from './mail-rows.ts'
import { type RecipientRow, storedRecipient } from './recipient-rows.ts'

/** Makes the delivery of a mail to a destination due, and creates it if it does not exist. */
export function requestDelivery(
  run: Query,
  work: WorkTable,
  mail: string,
  destination: Destination,
  now: number,
): Promise<void> {
  return work.putOrHasten(run, deliveryWork(mail, carrierOf(destination)), now)
}

/**
 * Returns the part of the store that is used to deliver mails.
 * @param at returns the time for a statement, or null to use the database clock
 */
export function pendingDeliveries(
  { query, transaction }: Database,
  work: WorkTable,
  at: (now: number) => number | null,
): Pick<MailStore, 'claimDeliveries' | 'concludeDelivery'> {
  return {
    claimDeliveries: (carrier, now, limit) =>
      claimMails(
        query,
        work,
        { queue: workQueues.deliveries + carrier, now, limit },
        (claimed, of, recipients) => {
          const delivery = deliveryOf(claimed)
          return {
            ...delivery,
            of,
            repeated: delivery.attempts > 0 || claimed.tries > 1,
            recipients: recipients.filter(each => isWaiting(each, carrier)).map(storedRecipient),
          }
        },
      ),

    concludeDelivery: ({ mail, carrier, work: claimed }, attempts, { dispositions, report }, nextAt, now) =>
      transaction(async run => {
        if (!(await work.holds(run, claimed))) return work.forget([claimed])
        for (const { recipient, state, why } of dispositions)
          await run('update recipients set state = $2, why = $3, attempts = attempts + 1 where id = $1', [
            recipient,
            state,
            why,
          ])
        const tried = new Set(dispositions.map(({ recipient }) => recipient))
        const rows = await run<Pick<RecipientRow, 'id' | 'state' | 'destination'>>(
          "select id, state, destination from recipients where mail = $1 and state = 'delivering'",
          [mail],
        )
        const waiting = rows.filter(each => isWaiting(each, carrier))
        if (waiting.length === 0) await work.finish(run, claimed)
        else {
          // Recipients whose delivery was requested during the attempt were not part of it, so their delivery is due
          // at once.
          const dueAt = waiting.every(({ id }) => tried.has(id)) ? nextAt : now
          await work.retry(run, claimed, deliveryData(attempts), dueAt, now)
        }
        if (report !== undefined) await insertMail(run, report, at(now))
      }),
  }
}

/** Returns whether a recipient waits for this carrier. */
function isWaiting(
  { state, destination }: Pick<RecipientRow, 'state' | 'destination'>,
  carrier: string,
): boolean {
  return state === 'delivering' && carrierOf(destination!) === carrier
}
