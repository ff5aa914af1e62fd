import type { DatabaseSync } from 'node:sqlite'

/** What is known of a mail, without its text. */
export interface MailRow {
  /** Counts up with each mail. */
  readonly sequence: number
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** As said to the mail server; empty for the null sender. */
  readonly from: string
  /** The address of the From header; empty when there is none. */
  readonly author: string
  readonly subject: string
  /** Whether somebody before us marked it as spam. */
  readonly spam: boolean
  /** Whether the box made it. */
  readonly report: boolean
  readonly size: number
}

/** A mail that is not stored yet. */
export type NewRow = Omit<MailRow, 'sequence' | 'size'>

type Row = { readonly [column: string]: string | number | Uint8Array | null }

/** A condition on the rows of what is due of a mail. */
export const notHeld = 'mail not in (select mail from held)'

const columns = 'id, received_at, sender, author, subject, spam, report, size'

/** The columns of a mail without its text. */
export const mailColumns = `rowid, ${columns}`

/** Reads a row that has `mailColumns`. */
export function mailOf(row: unknown): MailRow {
  const { rowid, id, received_at, sender, author, subject, spam, report, size } = row as Row
  return {
    sequence: Number(rowid),
    id: String(id),
    receivedAt: Number(received_at),
    from: String(sender),
    author: String(author),
    subject: String(subject),
    spam: spam === 1,
    report: report === 1,
    size: Number(size),
  }
}

/** The table of mails. */
export function mailRows(database: DatabaseSync) {
  const insert = database.prepare(`insert into mails (${columns}, raw) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const one = database.prepare(`select ${mailColumns} from mails where id = ?`)
  const last = database.prepare('select ifnull(max(rowid), 0) as sequence from mails')
  const raw = database.prepare('select raw from mails where id = ?')
  const over = database.prepare(
    `select id, size from mails where received_at <= ?
     and not exists (select 1 from invocations where mail = mails.id and next_at is not null)
     and not exists (select 1 from deliveries where mail = mails.id)
     order by received_at limit ?`,
  )
  const forget = ['recipients', 'invocations', 'deliveries', 'held']
    .map(table => `delete from ${table} where mail = ?`)
    .concat('delete from mails where id = ?')
    .map(statement => database.prepare(statement))
  const has = database.prepare('select 1 from mails where id = ?')

  return {
    insert(mail: NewRow, text: Uint8Array): void {
      const { id, receivedAt, from, author, subject, spam, report } = mail
      insert.run(id, receivedAt, from, author, subject, Number(spam), Number(report), text.length, text)
    },

    get: (id: string): MailRow => mailOf(one.get(id)),

    has: (id: string): boolean => has.get(id) !== undefined,

    /** The sequence of the mail that came last; 0 when there is none. */
    last: (): number => Number(last.get()!.sequence),

    raw(id: string): Buffer | undefined {
      const row = raw.get(id) as { readonly raw: Uint8Array } | undefined
      return row && Buffer.from(row.raw.buffer, row.raw.byteOffset, row.raw.byteLength)
    },

    /** Some that came until then and of which nothing is pending. */
    over: (until: number, most: number): readonly Pick<MailRow, 'id' | 'size'>[] =>
      over.all(until, most) as unknown as Pick<MailRow, 'id' | 'size'>[],

    forget(id: string): void {
      for (const statement of forget) statement.run(id)
    },
  }
}
