import type { DatabaseSync } from 'node:sqlite'

export type Direction = 'INBOUND' | 'OUTBOUND'

/** Where a mail is delivered to. */
export type Way = 'inbox' | 'junk' | 'relay'

/**
 * How far a mail is for one recipient. `undecided`: a function has yet to say. `delivering`: it is on its way.
 * `failed`: delivery was given up, and there is nobody to tell. The others are as they sound.
 */
export type RecipientState =
  | 'undecided'
  | 'delivering'
  | 'delivered'
  | 'relayed'
  | 'dropped'
  | 'bounced'
  | 'failed'

/** What becomes of a recipient, and why, as a sentence. `way` is there while it is delivered. */
export interface Fate {
  readonly state: RecipientState
  readonly way?: Way
  readonly why: string
}

/** A recipient of a mail as it comes. */
export interface NewRecipient extends Fate {
  readonly address: string
  readonly direction: Direction
}

/** A recipient of a stored mail. */
export interface RecipientRow {
  readonly id: number
  readonly address: string
  readonly state: RecipientState
  readonly way: Way | undefined
}

/** The table of recipients. */
export function recipientRows(database: DatabaseSync) {
  const insert = database.prepare(
    'insert into recipients (mail, address, direction, state, way, why) values (?, ?, ?, ?, ?, ?)',
  )
  const ofDirection = database.prepare(
    'select id, address, state, way from recipients where mail = ? and direction = ? order by id',
  )
  const onTheirWay = database.prepare(
    "select id, address, state, way from recipients where mail = ? and state = 'delivering' order by id",
  )
  const settle = database.prepare('update recipients set state = ?, way = ?, why = ? where id = ?')
  const attempted = database.prepare(
    'update recipients set state = ?, why = ?, attempts = attempts + 1 where id = ?',
  )
  const read = (rows: unknown) => (rows as RecipientRow[]).map(row => ({ ...row, way: row.way ?? undefined }))

  return {
    insert(mail: string, { address, direction, state, way, why }: NewRecipient): void {
      insert.run(mail, address, direction, state, way ?? null, why)
    },

    /** In the order in which they were given. */
    ofDirection: (mail: string, direction: Direction): readonly RecipientRow[] =>
      read(ofDirection.all(mail, direction)),

    onTheirWay: (mail: string): readonly RecipientRow[] => read(onTheirWay.all(mail)),

    settle: (id: number, { state, way, why }: Fate): void => void settle.run(state, way ?? null, why, id),

    /** What came of an attempt to deliver. */
    attempted: (id: number, { state, why }: Fate): void => void attempted.run(state, why, id),
  }
}
