import { sharedExecutionsSuite } from '@signalbox/platform-invoke/testing/shared-executions-suite'
import { type Database, openDatabase } from '../database.ts'
import { layOut } from '../layout/lay-out.ts'
import { periodicWork } from '../periodic-work.ts'
import { testServer } from '../testing/server-suite.ts'
import { executionStore } from './execution-store.ts'

const { options } = testServer()

sharedExecutionsSuite('PostgreSQL', async () => {
  const chosen = options()
  const databases = [openDatabase(chosen), openDatabase(chosen)] as const
  await layOut(databases[0], chosen.schema)
  for (const id of ['first', 'second'])
    await databases[0].query(
      `insert into platforms (id, host, process, started_at, alive_until) values ($1, '', 1, 0, ${Number.MAX_SAFE_INTEGER})`,
      [id],
    )
  let held: { readonly at: number; readonly isHeld: () => void; readonly writes: Promise<void> } | undefined
  let statements = 0
  const pausing: Database = {
    ...databases[0],
    async query(text, values) {
      if (held !== undefined && ++statements === held.at) {
        const { isHeld, writes } = held
        held = undefined
        isHeld()
        await writes
      }
      return databases[0].query(text, values)
    },
  }
  const store = (database: Database, platformId: string) =>
    executionStore({ database, platformId, periodic: periodicWork(database), usesGivenTime: true })
  return {
    stores: [store(pausing, 'first'), store(databases[1], 'second')],
    holdWrite(reads) {
      let write = () => {}
      const writes = new Promise<void>(resolve => {
        write = resolve
      })
      statements = 0
      const isHeld = new Promise<void>(resolve => {
        held = { at: reads + 1, isHeld: resolve, writes }
      })
      return { isHeld, write }
    },
    loseClaim: async () =>
      void (await databases[1].query(`update platforms set alive_until = 0 where id = $1`, ['first'])),
    async end() {
      await Promise.all(databases.map(each => each.close()))
    },
  }
})
