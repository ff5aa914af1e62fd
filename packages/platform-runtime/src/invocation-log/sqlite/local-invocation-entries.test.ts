import { expect, it } from '@jest/globals'
import { dataDirectory } from '../../storage/data-directory.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { invocationTransferSuite } from '../testing/invocation-transfer-suite.ts'
import { day, loggedEntry, logOptions } from '../testing/logged-entry.ts'
import { localInvocationEntries } from './local-invocation-entries.ts'
import { invocationLogDatabase, localInvocationLog } from './local-invocation-log.ts'

invocationTransferSuite('SQLite', async () => {
  const folder = temporaryFolder()
  const directory = dataDirectory(folder.path)
  return {
    openEntries: async () => localInvocationEntries(directory, () => {}),
    openLog: async () =>
      localInvocationLog(
        directory.open(invocationLogDatabase),
        logOptions({ size: 1e9, age: 100_000 * day }),
      ),
    end: async () => folder[Symbol.dispose](),
  }
})

it('a copy of a file-based invocation log omits damaged entries, and reports them', async () => {
  using folder = temporaryFolder()
  const directory = dataDirectory(folder.path)
  const log = localInvocationLog(directory.open(invocationLogDatabase), logOptions())
  for (const requestId of ['r-1', 'r-2']) {
    log.append({ ...loggedEntry, requestId })
    await log.flush()
  }
  await log.close()
  const database = directory.open(invocationLogDatabase)
  database.exec("update invocations set rest = x'00' where id = 1")
  database.close()
  const notices: string[] = []
  const entries = localInvocationEntries(directory, text => notices.push(text))
  expect((await entries.read(0, 10)).map(({ requestId }) => requestId)).toEqual(['r-2'])
  expect(notices).toEqual(['The invocation log is damaged, and misses the entry #1.'])
  await entries.close()
})
