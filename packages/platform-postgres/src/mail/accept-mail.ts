import { alreadyAccepted, type DecidedBefore, type NewMail } from '@signalbox/platform-mail/store'
import type { Database } from '../database.ts'
import { insertMail } from './mail-rows.ts'

/**
 * Stores a mail, unless a mail with its id exists. A mail on which functions decided before is stored once for each of
 * their decisions, together with the report to its sender.
 * @param given the time at which the work is due, or null to use the database clock
 * @throws MailStoreError when a mail was stored for one of the decisions
 */
export async function acceptMail(
  { query, transaction }: Database,
  mail: NewMail,
  { keys, report, others = [] }: DecidedBefore = { keys: [], report: undefined },
  given: number | null,
): Promise<void> {
  const further = [...others, ...(report === undefined ? [] : [report])]
  if (keys.length === 0 && further.length === 0) return insertMail(query, mail, given)
  await transaction(async run => {
    // Sorted, so that two platforms that store the same mail cannot wait for each other.
    const taken = await run(
      `with e as (select key from early_decisions where key = any($1) order by key for update)
       update early_decisions set stored_as = $2, raw = null from e
       where early_decisions.key = e.key and stored_as is null and decision is not null returning 1`,
      [keys, mail.id],
    )
    if (taken.length < keys.length) {
      const existing = await run('select from mails where id = $1', [mail.id])
      if (existing.length > 0) return
      throw alreadyAccepted()
    }
    for (const each of [mail, ...further]) await insertMail(run, each, given)
  })
}
