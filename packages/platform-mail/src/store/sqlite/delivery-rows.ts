import type { DatabaseSync } from 'node:sqlite'
import type { Carrier, Delivery } from '../mail-store.ts'
import { notHeld } from './mail-rows.ts'

/** Returns access to the table of deliveries. */
export function deliveryRows(database: DatabaseSync) {
  const insert = database.prepare(
    `insert into deliveries (mail, carrier, since, next_at) values (?, ?, ?, ?)
     on conflict do update set next_at = min(next_at, excluded.next_at)`,
  )
  const one = database.prepare('select * from deliveries where mail = ? and carrier = ?')
  const due = database.prepare(
    `select mail from deliveries where carrier = ? and next_at <= ? and ${notHeld}
     order by next_at, since limit ?`,
  )
  const next = database.prepare(
    `select min(next_at) as at from deliveries where carrier = ? and next_at > ? and ${notHeld}`,
  )
  const postpone = database.prepare(
    'update deliveries set attempts = ?, next_at = ? where mail = ? and carrier = ?',
  )
  const remove = database.prepare('delete from deliveries where mail = ? and carrier = ?')

  return {
    /** Makes a delivery due at once. */
    request: (mail: string, carrier: Carrier, now: number): void => void insert.run(mail, carrier, now, now),

    get: (mail: string, carrier: Carrier): Delivery | undefined =>
      one.get(mail, carrier) as unknown as Delivery | undefined,

    /** Returns the ids of the mails with a due delivery of a carrier. */
    due: (carrier: Carrier, now: number, limit: number): readonly string[] =>
      (due.all(carrier, now, limit) as { mail: string }[]).map(({ mail }) => mail),

    /** Returns the time at which the next delivery becomes due. */
    nextAfter: (carrier: Carrier, now: number): number | undefined =>
      (next.get(carrier, now) as { at: number | null }).at ?? undefined,

    postpone: ({ mail, carrier }: Delivery, attempts: number, nextAt: number): void =>
      void postpone.run(attempts, nextAt, mail, carrier),

    remove: (mail: string, carrier: Carrier): void => void remove.run(mail, carrier),
  }
}
