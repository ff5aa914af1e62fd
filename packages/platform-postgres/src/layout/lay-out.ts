import { restartedLog } from '@signalbox/platform-runtime/invocation-log'
import { UnknownLayoutError } from '@signalbox/platform-runtime/storage'
import pg from 'pg'
import type { Database } from '../database.ts'
import { accessLayout } from './access-layout.ts'
import { bucketLayout } from './bucket-layout.ts'
import { changedMailLayout } from './changed-mail-layout.ts'
import { consoleLayout } from './console-layout.ts'
import { earlyDecisionLayout } from './early-decision-layout.ts'
import { eventLayout } from './event-layout.ts'
import { executionLayout, fewerIndexesLayout } from './execution-layout.ts'
import { invocationLayout, searchedLayout, severityLayout, traceLayout } from './invocation-layout.ts'
import { mailFactsLayout } from './mail-facts-layout.ts'
import { mailLayout } from './mail-layout.ts'
import { mailRulesLayout } from './mail-rules-layout.ts'
import { messageLayout } from './message-layout.ts'
import { platformLayout } from './platform-layout.ts'
import { queueLayout, turnLayout } from './queue-layout.ts'
import { userPoolLayout } from './user-pool-layout.ts'
import { eventWorkLayout, mailWorkLayout } from './work-layout.ts'

/** The steps from an empty schema to the newest layout. A released step never changes. A new layout gets a new step. */
export const steps: readonly string[] = [
  queueLayout,
  eventLayout,
  mailLayout,
  userPoolLayout,
  invocationLayout,
  platformLayout,
  accessLayout,
  consoleLayout,
  bucketLayout,
  messageLayout,
  mailRulesLayout,
  turnLayout,
  severityLayout,
  searchedLayout,
  eventWorkLayout,
  mailWorkLayout,
  earlyDecisionLayout,
  mailFactsLayout,
  changedMailLayout,
  traceLayout,
  executionLayout,
  fewerIndexesLayout,
]

/**
 * Creates the tables, or upgrades the tables of an earlier version to the newest layout. Several platforms can do this
 * at once, because a database lock makes them take turns.
 * @param notice is called with a sentence when entries of the invocation log were deleted
 * @param wanted the steps to take, which only a test of an upgrade changes
 * @throws UnknownLayoutError when a later version has changed them
 */
export async function layOut(
  database: Database,
  schema: string,
  notice: (text: string) => void = () => {},
  wanted = steps,
): Promise<void> {
  let lastDeleted = 0
  await database.transaction(async query => {
    await query('select pg_advisory_xact_lock(hashtext($1))', [`signalbox ${schema}`])
    // Even with `if not exists`, PostgreSQL refuses this statement to a user who only owns the schema.
    const [existing] = await query('select from pg_namespace where nspname = $1', [schema])
    if (existing === undefined) await query(`create schema ${pg.escapeIdentifier(schema)}`)
    await query('create table if not exists layout (version integer not null)')
    const [row] = await query<{ version: number }>('select version from layout')
    const found = row?.version ?? 0
    if (found > steps.length)
      throw new UnknownLayoutError(
        `The tables in the schema ${schema} have layout ${found}, and this version of Signalbox knows layouts up to ${steps.length}. Use the version that changed them, or another schema.`,
      )
    if (found === wanted.length) return
    if (found > steps.indexOf(invocationLayout) && found <= steps.indexOf(searchedLayout)) {
      const [log] = await query<{ last_id: number }>('select last_id from invocation_log')
      lastDeleted = log!.last_id
    }
    for (const step of wanted.slice(found)) await query(step)
    await query('delete from layout')
    await query('insert into layout values ($1)', [wanted.length])
  })
  if (lastDeleted > 0) notice(restartedLog(lastDeleted))
}
