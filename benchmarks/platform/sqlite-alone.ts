import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Does the minimum work of a queue: it inserts, hides and deletes messages in batches. Each step is a transaction that
 * is on the disk when the step ends.
 */
export function sqliteAlone(folder: string, body: string, messages: number, batchSize: number): void {
  const database = new DatabaseSync(join(folder, 'alone.sqlite'))
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec(`create table messages (id integer primary key autoincrement, visible_at integer not null, receipt text, body text not null) strict;
    create index by_visibility on messages (visible_at, id)`)
  const insert = database.prepare('insert into messages (visible_at, body) values (?, ?)')
  const visible = database.prepare(
    'select id, body from messages where visible_at <= ? order by visible_at, id limit ?',
  )
  const hide = database.prepare('update messages set visible_at = ?, receipt = ? where id = ?')
  const remove = database.prepare('delete from messages where id = ? and receipt = ?')
  const inTransaction = (work: () => void) => {
    database.exec('begin immediate')
    work()
    database.exec('commit')
  }
  let deleted = 0
  for (let sent = 0; sent < messages; sent += batchSize) {
    const now = Date.now()
    inTransaction(() => {
      for (let i = 0; i < batchSize; i++) insert.run(now, body)
    })
    const rows = visible.all(now, batchSize)
    const receipt = `${sent}`
    inTransaction(() => {
      for (const { id } of rows) hide.run(now + 30_000, receipt, id!)
    })
    inTransaction(() => {
      for (const { id } of rows) deleted += Number(remove.run(id!, receipt).changes)
    })
  }
  if (deleted !== messages) throw new Error(`${deleted} messages were deleted`)
  database.close()
}
