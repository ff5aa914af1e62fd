import type { DatabaseSync } from 'node:sqlite'
import { factsIn, factsText } from '../mail-facts.ts'
import type { ChangedContent, NewMail, StoredMail } from '../mail-store.ts'

type Row = { readonly [column: string]: string | number | Uint8Array | null }

const columns = 'id, received_at, sender, author, subject, spam, report, utf8, facts, size'

/** All columns of a mail except its text. */
const mailColumns = `rowid, ${columns}`

/** Reads a row that has the columns of a mail except its text. The columns of flags and of facts may be missing. */
export function mailOf(row: unknown): StoredMail {
  const { rowid, id, received_at, sender, author, subject, spam, report, utf8, facts, size } = row as Row
  return {
    sequence: Number(rowid),
    id: String(id),
    receivedAt: Number(received_at),
    from: String(sender),
    author: String(author),
    subject: String(subject),
    spam: spam === 1,
    report: report === 1,
    utf8: utf8 === 1,
    facts: factsIn(facts),
    size: Number(size),
  }
}

/** Returns access to the table of mails. */
export function mailRows(database: DatabaseSync) {
  const insert = database.prepare(
    `insert into mails (${columns}, raw) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const one = database.prepare(`select ${mailColumns} from mails where id = ?`)
  const last = database.prepare('select ifnull(max(rowid), 0) as sequence from mails')
  const raw = database.prepare('select raw from mails where id = ?')
  const finished = database.prepare(
    `select id, size from mails where received_at <= ?
     and not exists (select 1 from work where owner = mails.id)
     order by received_at limit ?`,
  )
  const remove = ['work where owner', 'recipients where mail', 'held where mail', 'mails where id'].map(
    rows => database.prepare(`delete from ${rows} = ?`),
  )
  const has = database.prepare('select 1 from mails where id = ?')
  const change = database.prepare(
    'update mails set author = ?, subject = ?, spam = ?, size = ?, raw = ? where id = ?',
  )
  const split = database.prepare(
    `insert into mails (${columns}, raw)
     select ?, received_at, sender, ?, ?, ?, report, utf8, facts, ?, ? from mails where id = ?`,
  )
  const holdToo = database.prepare('insert into held (mail) select ? from held where mail = ?')

  return {
    insert(mail: NewMail): void {
      const { id, receivedAt, from, author, subject, spam, report, utf8, facts, raw } = mail
      const flags = [spam, report, utf8].map(Number)
      insert.run(id, receivedAt, from, author, subject, ...flags, factsText(facts), raw.length, raw)
    },

    get(id: string): StoredMail | undefined {
      const row = one.get(id)
      return row && mailOf(row)
    },

    has: (id: string): boolean => has.get(id) !== undefined,

    /** Returns the sequence number of the latest mail, or 0 if there are no mails. */
    last: (): number => Number(last.get()!.sequence),

    raw(id: string): Buffer | undefined {
      const row = raw.get(id) as { readonly raw: Uint8Array } | undefined
      return row && Buffer.from(row.raw.buffer, row.raw.byteOffset, row.raw.byteLength)
    },

    /** Returns mails that arrived up to the given time and have no pending work, oldest first. */
    finished: (until: number, limit: number): readonly Pick<StoredMail, 'id' | 'size'>[] =>
      finished.all(until, limit) as unknown as Pick<StoredMail, 'id' | 'size'>[],

    change(id: string, { author, subject, spam, raw }: ChangedContent): void {
      change.run(author, subject, Number(spam), raw.length, raw, id)
    },

    /** Inserts a mail that differs from another one in its content only. */
    split(id: string, { splitId, author, subject, spam, raw }: ChangedContent): void {
      split.run(splitId, author, subject, Number(spam), raw.length, raw, id)
      holdToo.run(splitId, id)
    },

    remove(id: string): void {
      for (const statement of remove) statement.run(id)
    },
  }
}
