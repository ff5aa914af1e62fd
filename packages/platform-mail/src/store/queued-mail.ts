import type { DatabaseSync } from 'node:sqlite'
import { transactions } from '@signalbox/platform-runtime/storage'
import { fromMails } from './from-mails.ts'
import { layOut } from './layout.ts'
import { mailRows } from './mail-rows.ts'
import { storageFull } from './mail-store-error.ts'

/**
 * Changes the queued mails of a database: those that wait for a function or a delivery. A box that is running on the
 * database notices. Mails are named by the beginning of their id. All of a call is done, or nothing.
 *
 * Everything throws Error for a beginning that is not that of one queued mail, and answers the whole ids.
 */
export function queuedMail(database: DatabaseSync) {
  const sound = <T>(work: () => T): T => fromMails(database, work)
  sound(() => layOut(database))
  const mails = mailRows(database)
  const write = transactions(database, storageFull)
  const found = database.prepare('select id from mails where substr(id, 1, length(?)) = ? limit 2')
  const waits = database.prepare(
    `select 1 from invocations where mail = ? and next_at is not null
     union all select 1 from deliveries where mail = ?`,
  )
  const all = database.prepare(
    'select distinct mail from deliveries where mail not in (select mail from held)',
  )
  const hurry = database.prepare('update deliveries set next_at = min(next_at, ?) where mail = ?')
  const hold = database.prepare('insert into held (mail) values (?) on conflict do nothing')
  const release = database.prepare('delete from held where mail = ?')
  const isHeld = database.prepare('select 1 from held where mail = ?')
  const hasDelivery = database.prepare('select 1 from deliveries where mail = ?')

  const queued = (beginning: string): string => {
    const ids = found.all(beginning, beginning).map(({ id }) => String(id))
    const which = `mail whose id begins with ${JSON.stringify(beginning)}`
    const [id] = ids
    if (id === undefined || beginning === '')
      throw new Error(`There is no ${which}. All ids are in: signalbox mails`)
    if (ids.length > 1) throw new Error(`There is more than one ${which}: give more of its id.`)
    if (waits.get(id, id) === undefined)
      throw new Error(
        `The mail ${id} is not queued: it waits for nothing. What became of it is in: signalbox mails`,
      )
    return id
  }

  const each = (beginnings: readonly string[], work: (id: string) => void): readonly string[] =>
    sound(() =>
      write(() => {
        const ids = [...new Set(beginnings.map(queued))]
        for (const id of ids) work(id)
        return ids
      }),
    )

  return {
    /** Makes deliveries due now: of some mails, or of all that are not held. Mail that a function has to decide on waits. */
    flush(beginnings: readonly string[], now: number): readonly string[] {
      if (beginnings.length > 0)
        return each(beginnings, id => {
          if (isHeld.get(id) !== undefined) throw new Error(`The mail ${id} is held: release it first.`)
          if (hasDelivery.get(id) === undefined)
            throw new Error(`The mail ${id} waits for the decision of a function, not for a delivery.`)
          hurry.run(now, id)
        })
      return sound(() =>
        write(() => {
          const ids = all.all().map(({ mail }) => String(mail))
          for (const id of ids) hurry.run(now, id)
          return ids
        }),
      )
    },

    /** Lets mails wait until they are released: no function is called, no delivery is attempted. */
    hold: (beginnings: readonly string[]) => each(beginnings, id => void hold.run(id)),

    release: (beginnings: readonly string[]) =>
      each(beginnings, id => {
        if (release.run(id).changes === 0) throw new Error(`The mail ${id} is not held.`)
      }),

    /** Forgets mails. Their senders get no report; what is in mailboxes stays there. */
    remove: (beginnings: readonly string[]) => each(beginnings, mails.forget),
  }
}
