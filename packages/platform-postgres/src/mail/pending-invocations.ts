import {
  invocationOf,
  type MailStore,
  type NewRecipient,
  postponedData,
  workQueues,
} from '@signalbox/platform-mail/store'
import type { Database, Query } from '../database.ts'
import type { WorkTable } from '../work/work-table.ts'
import { claimMails } from './claim-mails.ts'
import { changeContent, insertMail } from './mail-rows.ts'
import { requestDelivery } from './pending-deliveries.ts'
import { storedRecipient } from './recipient-rows.ts'

/**
 * Returns the part of the store that is used to invoke functions with mails.
 * @param at returns the time for a statement, or null to use the database clock
 */
export function pendingInvocations(
  { query, transaction }: Database,
  work: WorkTable,
  at: (now: number) => number | null,
): Pick<MailStore, 'claimInvocations' | 'postponeInvocation' | 'concludeInvocation'> {
  /**
   * Adds a recipient to a mail, unless this mail or the one that it was split from has its address. Its delivery is due at
   * once.
   */
  const addRecipient = async (
    run: Query,
    mail: string,
    from: string,
    recipient: NewRecipient,
    now: number,
  ) => {
    const { address, direction, state, destination, why } = recipient
    const inserted = await run(
      `insert into recipients (mail, address, direction, state, destination, why)
       select $1, $2, $3, $4, $5, $6
       where not exists (select 1 from recipients where mail in ($1, $7) and address = $2) returning 1`,
      [mail, address, direction, state, destination ?? null, why, from],
    )
    if (inserted.length > 0 && destination !== undefined)
      await requestDelivery(run, work, mail, destination, now)
  }

  return {
    claimInvocations: (functionName, now, limit) =>
      claimMails(
        query,
        work,
        { queue: workQueues.decisions + functionName, now, limit },
        (claimed, of, recipients) => ({
          ...invocationOf(claimed),
          of,
          recipients: recipients.filter(({ invocation }) => invocation === claimed.key).map(storedRecipient),
        }),
      ),

    async postponeInvocation(invocation, how, now) {
      await work.retry(query, invocation.work, postponedData(invocation, how), how.nextAt, now)
    },

    concludeInvocation: ({ id, mail, work: claimed }, { dispositions, added, report, changed }, now) =>
      transaction(async run => {
        if (!(await work.finish(run, claimed))) return
        const target = changed === undefined ? mail : await changeContent(run, mail, id, changed)
        for (const { recipient, state, destination, why } of dispositions) {
          await run('update recipients set state = $2, destination = $3, why = $4 where id = $1', [
            recipient,
            state,
            destination ?? null,
            why,
          ])
          if (destination !== undefined) await requestDelivery(run, work, target, destination, now)
        }
        for (const each of added) await addRecipient(run, target, mail, each, now)
        if (report !== undefined) await insertMail(run, report, at(now))
      }),
  }
}
