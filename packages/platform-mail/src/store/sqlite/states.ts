import type { DatabaseSync } from 'node:sqlite'
import { rollBack } from '@signalbox/platform-runtime/storage'
import type { MailState, RecipientReport } from '../mail-store.ts'
import { recipientReport } from '../mail-work.ts'
import { earlierWork, firstInvocation } from './layout.ts'
import { mailDamage } from './mail-damage.ts'
import { mailOf } from './mail-rows.ts'

const recipientsQuery = `
select recipients.mail, address, direction, state, why, attempts, decision.data as decision,
  case when held.mail is not null then null
    when state = 'undecided' then decision.due_at
    when state = 'delivering' then delivery.due_at end as nextAt
from recipients
left join held on held.mail = recipients.mail
left join work decision on decision.key = invocation
left join work delivery on
  delivery.key = case when destination like 'relay%' then 'relay ' else 'mailbox ' end || recipients.mail
order by recipients.id`

/**
 * Returns the states of all mails in a database, newest first. This works even if the database is read-only, has no
 * tables, or has an earlier layout.
 */
export function mailStates(database: DatabaseSync): readonly MailState[] {
  return mailDamage.run(database, () => {
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
  // The transaction of the reader ends without these views.
  if (layout < 3) database.exec(`create temp view work as ${earlierWork}`)
  if (layout < 2)
    database.exec(
      `create temp view recipients as select *, ${firstInvocation} as invocation from main.recipients`,
    )
  for (const row of database.prepare(recipientsQuery).iterate()) {
    const { mail, decision, nextAt, ...rest } = row as unknown as RecipientReport & {
      mail: string
      decision: string | null
    }
    const list = recipients.get(mail) ?? []
    recipients.set(mail, list)
    list.push(recipientReport({ ...rest, nextAt: nextAt ?? undefined }, decision))
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
