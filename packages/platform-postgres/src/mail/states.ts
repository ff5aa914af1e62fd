import type { MailState, RecipientReport } from '@signalbox/platform-mail/store'
import type { Query } from '../database.ts'
import { type MailRow, mailColumns, mailOf } from './mail-rows.ts'

const select = `
select ${mailColumns}, h.mail is not null as held, (
  select json_agg(json_build_object('address', r.address, 'direction', r.direction, 'state', r.state,
    'why', case when r.state = 'undecided' and i.why <> '' then i.why else r.why end,
    'attempts', case r.state when 'undecided' then i.attempts else r.attempts end,
    'nextAt', case when h.mail is not null then null when r.state = 'undecided' then i.next_at
      when r.state = 'delivering' then d.next_at end) order by r.id)
  from recipients r
  left join invocations i on i.id = r.invocation
  left join deliveries d on d.mail = r.mail and d.carrier = case when r.destination like 'relay%' then 'relay' else 'mailbox' end
  where r.mail = m.id) as recipients
from mails m left join held h on h.mail = m.id order by m.received_at desc, m.sequence desc`

/** Returns all mails with their states, newest first. */
export async function states(query: Query): Promise<readonly MailState[]> {
  const rows = await query<MailRow & { held: boolean; recipients: RecipientReport[] | null }>(select)
  return rows.map(row => {
    const { id, receivedAt, from, subject, size, report } = mailOf(row)
    const recipients = (row.recipients ?? []).map(each => ({ ...each, nextAt: each.nextAt ?? undefined }))
    return { id, receivedAt, from, subject, size, report, held: row.held, recipients }
  })
}
