import { type MailStore, notOneMail, notQueued, workQueues, wrongState } from '@signalbox/platform-mail/store'
import type { Database, Query } from '../database.ts'
import { removeMails } from './remove-mails.ts'

/**
 * Returns the part of the store with which operators manage queued mails. A mail can be named by its id or by the
 * beginning of its id.
 * @param at returns the time for a statement, or null to use the database clock
 */
export function queuedMails(
  { query, transaction }: Database,
  at: (now: number) => number | null,
): Pick<MailStore, 'flush' | 'hold' | 'release' | 'remove'> {
  /** Does the work for all of the named mails or for none of them. Returns the ids of the mails. */
  const forEach = (names: readonly string[], work: (run: Query, id: string) => Promise<void>) =>
    transaction(async run => {
      const all = new Set<string>()
      for (const name of names) all.add(await queuedMail(run, name))
      for (const id of all) await work(run, id)
      return [...all]
    })

  return {
    async flush(names, now) {
      const makeDue = `update mail_work set due_at = least(due_at, t) from time_of($1) t
        where queue like '${workQueues.deliveries}%'`
      if (names.length > 0)
        return forEach(names, async (run, id) => {
          if ((await run('select from held where mail = $1', [id])).length > 0)
            throw wrongState(id, 'MAIL_HELD')
          const made = await run(`${makeDue} and owner = $2 returning 1`, [at(now), id])
          if (made.length === 0) throw wrongState(id, 'NO_DELIVERY')
        })
      const rows = await query<{ owner: string }>(
        `${makeDue} and owner not in (select mail from held) returning owner`,
        [at(now)],
      )
      return [...new Set(rows.map(({ owner }) => owner))]
    },

    hold: names =>
      forEach(names, async (run, id) => {
        await run('insert into held (mail) values ($1) on conflict do nothing', [id])
      }),

    release: names =>
      forEach(names, async (run, id) => {
        const released = await run('delete from held where mail = $1 returning 1', [id])
        if (released.length === 0) throw wrongState(id, 'MAIL_NOT_HELD')
      }),

    remove: names => forEach(names, (run, id) => removeMails(run, [id])),
  }
}

/**
 * Returns the id of the queued mail that a name identifies.
 * @throws MailStoreError unless the name identifies exactly one mail, and that mail is queued
 */
async function queuedMail(run: Query, name: string): Promise<string> {
  const [found, another] = await run<{ id: string }>(
    'select id from mails where left(id, length($1)) = $1 limit 2',
    [name],
  )
  if (found === undefined || name === '') throw notOneMail(name, 'none')
  if (another !== undefined) throw notOneMail(name, 'several')
  const waits = await run('select from mail_work where owner = $1 limit 1', [found.id])
  if (waits.length === 0) throw notQueued(found.id)
  return found.id
}
