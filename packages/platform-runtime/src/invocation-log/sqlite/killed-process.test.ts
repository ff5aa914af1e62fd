import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { loggedEntry, logOptions } from '../testing/logged-entry.ts'
import { localInvocationLog } from './local-invocation-log.ts'

it('a killed process loses only the invocations that were not written yet', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'invocation-log.sqlite')
  const child = fork(new URL('../testing/process-to-kill.ts', import.meta.url), [path], {
    execArgv: ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning'],
  })
  let last = 0
  child.on('message', (id: number) => {
    last = id
    if (id > 1000) child.kill('SIGKILL')
  })
  await once(child, 'exit')
  const log = localInvocationLog(new DatabaseSync(path), logOptions({ size: 1e9, age: 1e15 }))
  const kept = await log.list({ last: 100_000 })
  expect(kept.length).toBeGreaterThanOrEqual(last)
  expect(kept.map(({ id, requestId }) => [id, requestId])).toEqual(
    kept.map((_, at) => [at + 1, `r-${at + 1}`]),
  )
  log.append(loggedEntry)
  expect((await log.list({ last: 1 }))[0]!.id).toBe(kept.length + 1)
  expect((await log.search({ requestId: 'r-777', last: 5 })).entries.map(({ id }) => id)).toEqual([777])
  await log.close()
})
