import type { DatabaseSync } from 'node:sqlite'
import { storedLatestTime } from '@signalbox/platform-runtime/storage'
import type { QueueReport } from '../own-queue-store.ts'
import type { DeadLetter } from '../queue-attributes.ts'
import { isPrepared, queueDamage } from './layout.ts'

/** Reads the state of all queues in a database. It only reads, so it can run while a platform uses the database. */
export function queueReports(database: DatabaseSync, now: number): readonly QueueReport[] {
  return queueDamage.run(database, () => read(database, now))
}

function read(database: DatabaseSync, clock: number): readonly QueueReport[] {
  if (!isPrepared(database)) return []
  // The clock might have been set back.
  const now = Math.max(clock, storedLatestTime(database))
  const queues = database.prepare('select id, name, attributes from queues order by name').all()
  const count = database.prepare(
    `select count(*) filter (where visible_at <= ?) as visible,
            count(*) filter (where visible_at > ? and receipt is not null) as received,
            count(*) filter (where visible_at > ? and receipt is null) as delayed,
            min(sent_at) as oldest
     from messages where queue = ?`,
  )
  const all = queues.map(({ id, name, attributes }) => {
    const { deadLetter } = JSON.parse(String(attributes)) as { deadLetter?: DeadLetter }
    const counts = count.get(now, now, now, Number(id))!
    return {
      name: String(name),
      target: deadLetter?.queue,
      visible: Number(counts.visible),
      inFlight: Number(counts.received),
      delayed: Number(counts.delayed),
      oldestAge: counts.oldest === null ? undefined : now - Number(counts.oldest),
    }
  })
  return all.map(({ target, ...report }) => {
    const dead = target === undefined ? undefined : all.find(({ name }) => name === target)
    return { ...report, deadLetters: dead && dead.visible + dead.inFlight + dead.delayed }
  })
}
