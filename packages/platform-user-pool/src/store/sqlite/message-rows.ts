import type { DatabaseSync } from 'node:sqlite'
import type { Message } from '../user-pool-store.ts'

const columns = 'id, user, occasion, medium, recipient as "to", state, contents, ends, created'

/** The number of latest messages that a pool keeps. Older messages are deleted, unless they are still waiting. */
const kept = 1000

/** Returns the operations on the messages in a database. */
export function messageRows(database: DatabaseSync) {
  const all = database.prepare(
    `select ${columns} from messages where pool = ? and state <> 'feigned' order by number desc`,
  )
  const waiting = database.prepare(
    `select pool, ${columns} from messages where state = 'waiting' order by number`,
  )
  const add = database.prepare(
    'insert into messages (pool, id, user, occasion, medium, recipient, state, contents, ends, created) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const forget = database.prepare(
    `delete from messages where pool = :pool and state <> 'waiting' and number <= (select number from messages where pool = :pool order by number desc limit 1 offset ${kept})`,
  )
  const set = database.prepare('update messages set state = ?, contents = ? where pool = ? and id = ?')
  const empty = database.prepare(
    `update messages set contents = '', state = iif(state = 'waiting', 'failed', state) where ends <= ? and contents <> ''`,
  )
  const remove = database.prepare('delete from messages where pool = ? and id = ?')
  const removeOf = database.prepare('delete from messages where pool = ? and user = ?')
  return {
    all: (pool: string) => all.all(pool) as unknown as Message[],
    waiting: () => waiting.all() as unknown as (Message & { readonly pool: string })[],
    add(pool: string, message: Message): void {
      const { id, user, occasion, medium, to, state, contents, ends, created } = message
      add.run(pool, id, user, occasion, medium, to, state, contents, ends, created)
      forget.run({ pool })
    },
    set(pool: string, { id, state, contents }: Pick<Message, 'id' | 'state' | 'contents'>): void {
      set.run(state, contents, pool, id)
    },
    remove: (pool: string, id: string): void => void remove.run(pool, id),
    empty: (now: number): void => void empty.run(now),
    removeOf: (pool: string, user: string): void => void removeOf.run(pool, user),
  }
}
