import type { DatabaseSync } from 'node:sqlite'
import { notHeld } from './mail-rows.ts'
import type { Way } from './recipient-rows.ts'

/** Who delivers: the box itself, into a mailbox, or another server. */
export type Carrier = 'mailbox' | 'relay'

/** Who delivers what goes this way. */
export function carrierOf(way: Way): Carrier {
  return way === 'relay' ? 'relay' : 'mailbox'
}

/** What a carrier has yet to deliver of a mail. */
export interface DeliveryRow {
  readonly mail: string
  readonly carrier: Carrier
  /** When it was asked for. Milliseconds since the epoch. */
  readonly since: number
  /** Attempts that were made, without those for which the relay could not be reached. */
  readonly attempts: number
}

/** The table of deliveries. */
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
    /** Asks for a delivery at once. */
    ask: (mail: string, carrier: Carrier, now: number): void => void insert.run(mail, carrier, now, now),

    get: (mail: string, carrier: Carrier): DeliveryRow => one.get(mail, carrier) as unknown as DeliveryRow,

    /** The mails of which something is due. */
    due: (carrier: Carrier, now: number, most: number): readonly string[] =>
      (due.all(carrier, now, most) as { mail: string }[]).map(({ mail }) => mail),

    /** When the first is due that is not due yet. */
    nextAfter: (carrier: Carrier, now: number): number | undefined =>
      (next.get(carrier, now) as { at: number | null }).at ?? undefined,

    postpone: ({ mail, carrier, attempts }: DeliveryRow, nextAt: number): void =>
      void postpone.run(attempts, nextAt, mail, carrier),

    remove: (mail: string, carrier: Carrier): void => void remove.run(mail, carrier),
  }
}
