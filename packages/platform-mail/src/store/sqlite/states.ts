import type { DatabaseSync } from 'node:sqlite'
import { rollBack } from '@signalbox/platform-runtime/storage'
import type { MailState, RecipientReport } from '../mail-store.ts'
import { mailOf } from './mail-rows.ts'
import { reportDamagedMails } from './report-damaged-mails.ts'

/** The invocation of a recipient, by the number of the layout of a database. */
const invocationOf = (layout: number) =>
  layout < 2
    ? 'invocations.mail = recipients.mail and invocations.direction = recipients.direction'
    : 'invocations.id = recipients.invocation'

const recipientsQuery = (layout: number) => `
select recipients.mail, address, recipients.direction, state,
  case when state = 'undecided' and invocations.why <> '' then invocations.why else recipients.why end as why,
  case state when 'undecided' then invocations.attempts else recipients.attempts end as attempts,
  case when held.mail is not null then null
    when state = 'undecided' then invocations.next_at
    when state = 'delivering' then deliveries.next_at end as nextAt
from recipients
left join held on held.mail = recipients.mail
left join invocations on ${invocationOf(layout)}
left join deliveries on deliveries.mail = recipients.mail
  and deliveries.carrier = case when destination like 'relay%' then 'relay' else 'mailbox' end
order by recipients.id`

/**
 * Returns the states of all mails in a database, newest first. This works even if the database is read-only, has no
 * tables, or has an earlier layout.
 */
export function mailStates(database: DatabaseSync): readonly MailState[] {
  return reportDamagedMails(database, () => {
    // A running platform can change the mails at any time, so all of them are read in one transaction.
    database.exec('begin')
    try {
      return read(database)
    } finally {
      rollBack(database)
    }
  })
}

function read(database: DatabaseSync): readonly MailState[] {
  const isLaidOut = database.prepare("select 1 from sqlite_master where name = 'held'").get()
  if (isLaidOut === undefined) return []
  const recipients = new Map<string, RecipientReport[]>()
  const layout = Number(database.prepare('pragma user_version').get()!.user_version)
  for (const row of database.prepare(recipientsQuery(layout)).iterate()) {
    const { mail, nextAt, ...rest } = row as unknown as RecipientReport & { mail: string }
    const list = recipients.get(mail) ?? []
    recipients.set(mail, list)
    list.push({ ...rest, nextAt: nextAt ?? undefined })
  }
  const rows = database
    .prepare(
      `select id, received_at, sender, subject, size, report, id in (select mail from held) as held from mails order by received_at desc, rowid desc`,
    )
    .all()
  return rows.map(row => {
    const { id, receivedAt, from, subject, size, report } = mailOf(row)
    const held = row.held === 1
    return { id, receivedAt, from, subject, size, report, held, recipients: recipients.get(id) ?? [] }
  })
}
