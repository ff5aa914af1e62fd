import type { StoredMail } from '@signalbox/platform-mail/store'
import type { Claimed, ClaimedWork } from '@signalbox/platform-runtime/work'
import type { Query } from '../database.ts'
import type { WorkTable } from '../work/work-table.ts'
import { type MailRow, mailColumns, mailOf } from './mail-rows.ts'
import { type RecipientRow, recipientsOf } from './recipient-rows.ts'

/**
 * Claims due work of a queue with its mails.
 * @param pending returns a piece of work with its mail, and with the recipients of this mail
 */
export async function claimMails<Pending>(
  query: Query,
  table: WorkTable,
  { queue, now, limit }: { readonly queue: string; readonly now: number; readonly limit: number },
  pending: (work: ClaimedWork, of: StoredMail, recipients: readonly RecipientRow[]) => Pending,
): Promise<Claimed<Pending>> {
  const { work, nextAt } = await table.claim(query, queue, now, limit)
  if (work.length === 0) return { work: [], nextAt }
  const ids = work.map(({ owner }) => owner)
  try {
    const rows = await query<MailRow>(`select ${mailColumns} from mails m where id = any($1)`, [ids])
    const recipients = await recipientsOf(query, ids)
    const mails = new Map(rows.map(row => [row.id, mailOf(row)]))
    // A mail can be deleted just after its work was claimed.
    const found = work.filter(({ owner }) => mails.has(owner))
    table.forget(work.filter(each => !found.includes(each)))
    const withMail = (each: ClaimedWork) =>
      pending(
        each,
        mails.get(each.owner)!,
        recipients.filter(({ mail }) => mail === each.owner),
      )
    return { work: found.map(withMail), nextAt }
  } catch (error) {
    table.forget(work)
    throw error
  }
}
