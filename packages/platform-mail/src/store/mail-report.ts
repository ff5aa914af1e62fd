import type { DatabaseSync } from 'node:sqlite'
import { rollBack } from '@signalbox/platform-runtime/storage'
import { fromMails } from './from-mails.ts'
import { mailColumns, mailOf } from './mail-rows.ts'
import type { Direction, RecipientState } from './recipient-rows.ts'

/** How far a mail is for one of its recipients. */
export interface RecipientReport {
  readonly address: string
  readonly direction: Direction
  readonly state: RecipientState
  /** A sentence. */
  readonly why: string
  /** Attempts that were made: of the invocation while nothing is decided, of the delivery from then on. */
  readonly attempts: number
  /** When the next is due, in milliseconds since the epoch. */
  readonly nextAt: number | undefined
}

/** A mail that is not forgotten yet, and how far it is. */
export interface MailState {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** As said to the mail server; empty for the null sender. */
  readonly from: string
  readonly subject: string
  /** Bytes. */
  readonly size: number
  /** Whether the box made it, to tell a sender what was not delivered. */
  readonly report: boolean
  /** Whether it waits until it is released. */
  readonly held: boolean
  readonly recipients: readonly RecipientReport[]
}

const recipientsQuery = `
select recipients.mail, address, recipients.direction, state,
  case when state = 'undecided' and invocations.why <> '' then invocations.why else recipients.why end as why,
  case state when 'undecided' then invocations.attempts else recipients.attempts end as attempts,
  case when held.mail is not null then null
    when state = 'undecided' then invocations.next_at
    when state = 'delivering' then deliveries.next_at end as nextAt
from recipients
left join held on held.mail = recipients.mail
left join invocations on invocations.mail = recipients.mail and invocations.direction = recipients.direction
left join deliveries on deliveries.mail = recipients.mail
  and deliveries.carrier = case way when 'relay' then 'relay' else 'mailbox' end
order by recipients.id`

/** Every mail of a database and how far it is, the newest first, whether a box is running on it or not. */
export function mailStates(database: DatabaseSync): readonly MailState[] {
  return fromMails(database, () => {
    // A box that is running changes it all the time: what is read here is of one moment.
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
  for (const row of database.prepare(recipientsQuery).iterate()) {
    const { mail, nextAt, ...rest } = row as unknown as RecipientReport & { mail: string }
    const list = recipients.get(mail) ?? []
    recipients.set(mail, list)
    list.push({ ...rest, nextAt: nextAt ?? undefined })
  }
  const rows = database
    .prepare(
      `select ${mailColumns}, id in (select mail from held) as held from mails order by received_at desc, rowid desc`,
    )
    .all()
  return rows.map(row => {
    const { id, receivedAt, from, subject, size, report } = mailOf(row)
    const held = row.held === 1
    return { id, receivedAt, from, subject, size, report, held, recipients: recipients.get(id) ?? [] }
  })
}
