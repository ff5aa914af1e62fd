import type { DatabaseSync } from 'node:sqlite'
import type { QueuedMails } from '../mail-store.ts'
import { notOneMail, notQueued, wrongState } from '../mail-store-error.ts'
import { workQueues } from '../mail-work.ts'
import { mailRows } from './mail-rows.ts'

/**
 * Changes the queued mails in a database that has the mail tables. A platform that uses the same database notices the
 * changes.
 * @param write runs work in a transaction
 */
export function queuedMails(database: DatabaseSync, write: <T>(work: () => T) => Promise<T>): QueuedMails {
  const mails = mailRows(database)
  const named = database.prepare('select id from mails where substr(id, 1, length(?)) = ? limit 2')
  const waits = database.prepare('select 1 from work where owner = ?')
  const deliveries = `owner = ? and queue like '${workQueues.deliveries}%'`
  const withDelivery = database.prepare(
    `select distinct owner from work where queue like '${workQueues.deliveries}%'
     and owner not in (select mail from held)`,
  )
  const makeDue = database.prepare(`update work set due_at = min(due_at, ?) where ${deliveries}`)
  const hold = database.prepare('insert into held (mail) values (?) on conflict do nothing')
  const release = database.prepare('delete from held where mail = ?')
  const isHeld = database.prepare('select 1 from held where mail = ?')
  const hasDelivery = database.prepare(`select 1 from work where ${deliveries}`)

  const queuedMail = (name: string): string => {
    const [id, another] = named.all(name, name).map(row => String(row.id))
    if (id === undefined || name === '') throw notOneMail(name, 'none')
    if (another !== undefined) throw notOneMail(name, 'several')
    if (waits.get(id) === undefined) throw notQueued(id)
    return id
  }

  const forEach = async (names: readonly string[], work: (id: string) => void): Promise<readonly string[]> =>
    write(() => {
      const ids = [...new Set(names.map(queuedMail))]
      for (const id of ids) work(id)
      return ids
    })

  return {
    async flush(names, now) {
      if (names.length > 0)
        return forEach(names, id => {
          if (isHeld.get(id) !== undefined) throw wrongState(id, 'MAIL_HELD')
          if (hasDelivery.get(id) === undefined) throw wrongState(id, 'NO_DELIVERY')
          makeDue.run(now, id)
        })
      return write(() => {
        const ids = withDelivery.all().map(({ owner }) => String(owner))
        for (const id of ids) makeDue.run(now, id)
        return ids
      })
    },

    hold: names => forEach(names, id => void hold.run(id)),

    release: names =>
      forEach(names, id => {
        if (release.run(id).changes === 0) throw wrongState(id, 'MAIL_NOT_HELD')
      }),

    remove: names => forEach(names, mails.remove),
  }
}
