import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { sharedExecutionsSuite } from '../../testing/shared-executions-suite.ts'
import { localExecutions } from './local-executions.ts'

sharedExecutionsSuite('SQLite', async () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'executions.sqlite')
  const stores = [
    localExecutions(new DatabaseSync(path), 0),
    localExecutions(new DatabaseSync(path), 0),
  ] as const
  return {
    stores,
    loseClaim: work => stores[0].giveBack(work, 0, 0),
    async end() {
      await Promise.all(stores.map(each => each.close()))
      folder[Symbol.dispose]()
    },
  }
})
