import type { Database, Query } from '../database.ts'

/** The maximum number of mails, and the approximate maximum number of bytes, that one transaction deletes. */
const deletedAtOnce = { mails: 100, bytes: 4 * 1024 * 1024 }

/** Deletes mails, and everything that belongs to them. */
export async function removeMails(run: Query, ids: readonly string[]): Promise<void> {
  for (const rows of ['recipients where mail', 'mail_work where owner', 'held where mail', 'mails where id'])
    await run(`delete from ${rows} = any($1)`, [ids])
}

/**
 * Deletes some of the mails that have at least the given age and no work left. Returns whether there may be more of
 * them.
 * @param now milliseconds since the epoch, or null to use the database clock
 * @param age milliseconds
 */
export async function forgetMails(
  { query, transaction }: Database,
  now: number | null,
  age: number,
): Promise<boolean> {
  const found = await query<{ id: string; size: number }>(
    `select id, size from mails m where received_at <= (select time_of($1)) - $2
       and not exists (select from mail_work w where w.owner = m.id)
     order by received_at limit $3`,
    [now, Math.ceil(age), deletedAtOnce.mails],
  )
  let bytes = 0
  const some = found.filter(({ size }, position) => {
    bytes += size
    return position === 0 || bytes <= deletedAtOnce.bytes
  })
  const ids = some.map(({ id }) => id)
  if (ids.length > 0) await transaction(run => removeMails(run, ids))
  return some.length < found.length || some.length === deletedAtOnce.mails
}
