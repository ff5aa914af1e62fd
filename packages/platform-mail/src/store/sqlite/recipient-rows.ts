import type { DatabaseSync } from 'node:sqlite'
import type { Disposition, NewRecipient, StoredRecipient } from '../mail-store.ts'

/** Returns access to the table of recipients. */
export function recipientRows(database: DatabaseSync) {
  const insert = database.prepare(
    'insert into recipients (mail, address, direction, state, destination, why, invocation) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const hasOthers = database.prepare(
    'select 1 from recipients where mail = ? and invocation is not ? limit 1',
  )
  const move = database.prepare('update recipients set mail = ? where mail = ? and invocation = ?')
  const has = database.prepare('select 1 from recipients where mail = ? and address = ?')
  const ofInvocation = database.prepare(
    'select id, address, state, destination from recipients where mail = ? and invocation = ? order by id',
  )
  const delivering = database.prepare(
    "select id, address, state, destination from recipients where mail = ? and state = 'delivering' order by id",
  )
  const decide = database.prepare('update recipients set state = ?, destination = ?, why = ? where id = ?')
  const attempted = database.prepare(
    'update recipients set state = ?, why = ?, attempts = attempts + 1 where id = ?',
  )
  const read = (rows: unknown) =>
    (rows as StoredRecipient[]).map(row => ({ ...row, destination: row.destination ?? undefined }))

  return {
    insert(mail: string, recipient: NewRecipient): void {
      const { address, direction, state, destination = null, why, invocation = null } = recipient
      insert.run(mail, address, direction, state, destination, why, invocation)
    },

    has: (mail: string, address: string): boolean => has.get(mail, address) !== undefined,

    /** Returns whether a mail has recipients besides those of an invocation. */
    hasOthers: (mail: string, invocation: string): boolean => hasOthers.get(mail, invocation) !== undefined,

    /** Moves the recipients of an invocation to another mail. */
    move: (mail: string, invocation: string, to: string): void => void move.run(to, mail, invocation),

    /** Returns the recipients in their original order. */
    ofInvocation: (mail: string, invocation: string): readonly StoredRecipient[] =>
      read(ofInvocation.all(mail, invocation)),

    delivering: (mail: string): readonly StoredRecipient[] => read(delivering.all(mail)),

    decided: (id: number, { state, destination, why }: Disposition): void =>
      void decide.run(state, destination ?? null, why, id),

    /** Stores the result of a delivery attempt. */
    attempted: (id: number, { state, why }: Disposition): void => void attempted.run(state, why, id),
  }
}
