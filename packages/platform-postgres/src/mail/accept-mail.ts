import {
  alreadyAccepted,
  type DecidedBefore,
  decisionReplaced,
  type NewMail,
} from '@signalbox/platform-mail/store'
import type { Database } from '../database.ts'
import { insertMail } from './mail-rows.ts'

/**
 * Stores a mail, unless a mail with its id exists. A mail on which functions decided before is stored once for each of
 * their decisions, together with the report to its sender.
 * @param given the time at which the work is due, or null to use the database clock
 * @throws MailStoreError when a mail was stored for one of the decisions, or one is not remembered for its content
 */
export async function acceptMail(
  { query, transaction }: Database,
  mail: NewMail,
  { decisions, report, others = [], keepsContents = false }: DecidedBefore = {
    decisions: [],
    report: undefined,
  },
  given: number | null,
): Promise<void> {
  const further = [...others, ...(report === undefined ? [] : [report])]
  if (decisions.length === 0 && further.length === 0) return insertMail(query, mail, given)
  await transaction(async run => {
    const named = [decisions.map(({ key }) => key), decisions.map(({ content }) => content)]
    // Sorted, so that two platforms that store the same mail cannot wait for each other.
    const taken = await run(
      `with e as (
         select key, asked.content from early_decisions
         join unnest($1::text[], $2::text[]) as asked (key, content) using (key)
         order by key for update of early_decisions
       )
       update early_decisions d set stored_as = $3, raw = case when $4 then raw end from e
       where d.key = e.key and d.content = e.content and stored_as is null and decision is not null returning 1`,
      [...named, mail.id, keepsContents],
    )
    if (taken.length < decisions.length) {
      const existing = await run('select from mails where id = $1', [mail.id])
      if (existing.length > 0) return
      const kept = await run(
        `select from early_decisions join unnest($1::text[], $2::text[]) as asked (key, content) using (key, content)
         where decision is not null`,
        named,
      )
      throw kept.length < decisions.length ? decisionReplaced() : alreadyAccepted()
    }
    for (const each of [mail, ...further]) await insertMail(run, each, given)
  })
}
