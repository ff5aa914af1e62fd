import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { freeSpaceOf } from '@signalbox/platform-runtime/storage'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { executionStoreSuite } from '../../testing/execution-store-suite.ts'
import type { NewExecution } from '../execution.ts'
import { localExecutions } from './local-executions.ts'

executionStoreSuite('SQLite', async () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'executions.sqlite')
  const open = () => localExecutions(new DatabaseSync(path), 0)
  let store = open()
  return {
    store,
    async crash() {
      await store.close()
      store = open()
      return store
    },
    async end() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
})

const wanted = (name: string): NewExecution => ({
  ...{ id: name, functionName: 'order', name, input: '{}', tenantId: undefined, trace: undefined },
  ...{ timeout: 60_000, retention: 5000, parent: undefined },
})

it('executions go on and end on a full disk, which takes no new ones', async () => {
  using folder = temporaryFolder()
  const disk = { free: 80 * 1024 * 1024, total: 100 * 1024 * 1024 }
  const store = localExecutions(new DatabaseSync(join(folder.path, 'executions.sqlite')), 0, database =>
    freeSpaceOf(database, () => ({ ...disk })),
  )
  await store.start(wanted('a'), 1000)
  disk.free = 0
  await expect(store.start(wanted('b'), 1000)).rejects.toMatchObject({ code: 'EXECUTION_STORE_FULL' })
  const [claim] = (await store.claim('order', 1000, 9)).work
  const ended = await store.change(
    'a',
    { claim: claim! },
    ({ execution, now }) => {
      Object.assign(execution, { status: 'SUCCEEDED', endedAt: now })
      return { result: undefined, claim: 'wait' }
    },
    1000,
  )
  expect(ended!.execution.status).toBe('SUCCEEDED')
  await store.close()
})

it('a database of executions that a later version wrote is refused', () => {
  const database = new DatabaseSync(':memory:')
  database.exec('pragma user_version = 9')
  expect(() => localExecutions(database, 0)).toThrow('layout 9')
})

it('an execution waits no longer than when it was stored if the clock is set back while no process uses the database', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'executions.sqlite')
  const ahead = localExecutions(new DatabaseSync(path), 9_000_000)
  await ahead.start(wanted('a'), 9_000_000)
  const [claim] = (await ahead.claim('order', 9_000_000, 1)).work
  await ahead.change(
    'a',
    { claim: claim! },
    draft => {
      draft.record({ EventType: 'InvocationCompleted' }, {})
      draft.add({ id: 'rest', type: 'WAIT', status: 'STARTED', dueAt: 9_030_000 })
      draft.execution.seen = draft.execution.changes
      return { result: undefined, claim: 'wait' }
    },
    9_000_000,
  )
  await ahead.close()
  const correct = localExecutions(new DatabaseSync(path), 500_000)
  expect(await correct.claim('order', 500_000, 1)).toEqual({ work: [], nextAt: 530_000 })
  const [due] = (await correct.claim('order', 530_000, 1)).work
  const done = await correct.change(
    'a',
    { claim: due! },
    draft => ({ result: [draft.due().map(({ id }) => id), draft.execution.startedAt] }),
    530_000,
  )
  expect(done!.result).toEqual([['rest'], 500_000])
  await correct.close()
})
