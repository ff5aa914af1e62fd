import {
  type MailCounts,
  type MailState,
  type RecipientReport,
  recipientReport,
} from '@signalbox/platform-mail/store'
import type { Query } from '../database.ts'
import { type MailRow, mailColumns, mailOf } from './mail-rows.ts'

interface RecipientRow extends RecipientReport {
  /** The data of the work that decides on the recipient. */
  readonly decision: string | null
}

const select = `
select ${mailColumns}, h.mail is not null as held, (
  select json_agg(json_build_object('address', r.address, 'direction', r.direction, 'state', r.state, 'why', r.why,
    'attempts', r.attempts, 'decision', decision.data, 'nextAt', case when h.mail is not null then null
      when r.state = 'undecided' then decision.due_at when r.state = 'delivering' then delivery.due_at end) order by r.id)
  from recipients r
  left join mail_work decision on decision.key = r.invocation
  left join mail_work delivery on
    delivery.key = case when r.destination like 'relay%' then 'relay ' else 'mailbox ' end || r.mail
  where r.mail = m.id) as recipients
from mails m left join held h on h.mail = m.id order by m.received_at desc, m.sequence desc`

/** Returns all mails with their states, newest first. */
export async function states(query: Query): Promise<readonly MailState[]> {
  const rows = await query<MailRow & { held: boolean; recipients: RecipientRow[] | null }>(select)
  return rows.map(row => {
    const { id, receivedAt, from, subject, size, report } = mailOf(row)
    const recipients = (row.recipients ?? []).map(({ decision, nextAt, ...each }) =>
      recipientReport({ ...each, nextAt: nextAt ?? undefined }, decision),
    )
    return { id, receivedAt, from, subject, size, report, held: row.held, recipients }
  })
}

/** Counts the recipients of all mails by state, and the mails that are held. */
export async function counts(query: Query): Promise<MailCounts> {
  const [row] = await query<{ recipients: MailCounts['recipients'] | null; held: number }>(
    `select (select json_object_agg(state, count) from (select state, count(*) from recipients group by state) by_state) as recipients,
       (select count(*) from held) as held`,
  )
  return { recipients: row!.recipients ?? {}, held: row!.held }
}
