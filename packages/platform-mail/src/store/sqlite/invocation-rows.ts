import type { DatabaseSync } from 'node:sqlite'
import type { MailRule } from '../../config/mail-settings.ts'
import type { Invocation, Postponement } from '../mail-store.ts'
import { notHeld } from './mail-rows.ts'

type Row = { readonly [column: string]: string | number | null }

/** Returns access to the table of invocations. */
export function invocationRows(database: DatabaseSync) {
  const insert = database.prepare(
    'insert into invocations (id, mail, direction, function, mode, timeout, fallback, next_at) values (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const one = database.prepare('select * from invocations where id = ?')
  const due = database.prepare(
    `select id from invocations where function = ? and next_at <= ? and ${notHeld}
     order by next_at, rowid limit ?`,
  )
  const next = database.prepare(
    `select min(next_at) as at from invocations where function = ? and next_at > ? and ${notHeld}`,
  )
  const functions = database.prepare('select distinct function from invocations where next_at is not null')
  const postpone = database.prepare(
    'update invocations set attempts = ?, first_failed_at = ?, why = ?, next = ?, next_at = ? where id = ?',
  )
  const finish = database.prepare('update invocations set attempts = ?, next_at = null where id = ?')

  return {
    insert(id: string, mail: string, rule: MailRule, at: number): void {
      const { direction, functionName, mode, timeout, fallback } = rule
      insert.run(id, mail, direction, functionName, mode, timeout, fallback, at)
    },

    get(id: string): Invocation | undefined {
      const row = one.get(id) as Row | undefined
      return row && invocationOf(row)
    },

    /** Returns the ids of the due invocations of a function. */
    due: (functionName: string, now: number, limit: number): readonly string[] =>
      (due.all(functionName, now, limit) as { id: string }[]).map(({ id }) => id),

    /** Returns the time at which the next invocation of a function becomes due. */
    nextAfter: (functionName: string, now: number): number | undefined =>
      (next.get(functionName, now) as { at: number | null }).at ?? undefined,

    /** Returns the functions that mails wait for, even if the configuration no longer has them. */
    functions: (): readonly string[] => (functions.all() as Row[]).map(row => String(row.function)),

    postpone(id: string, { attempts, firstFailedAt, why, next: what, nextAt }: Postponement): void {
      postpone.run(attempts, firstFailedAt, why, what, nextAt, id)
    },

    finish: (id: string, attempts: number): void => void finish.run(attempts, id),
  }
}

function invocationOf(row: Row): Invocation {
  return {
    id: String(row.id),
    mail: String(row.mail),
    rule: {
      direction: row.direction as MailRule['direction'],
      functionName: String(row.function),
      mode: row.mode as MailRule['mode'],
      timeout: Number(row.timeout),
      fallback: row.fallback as MailRule['fallback'],
    },
    attempts: Number(row.attempts),
    firstFailedAt: row.first_failed_at === null ? undefined : Number(row.first_failed_at),
    why: String(row.why),
    next: row.next as Invocation['next'],
  }
}
