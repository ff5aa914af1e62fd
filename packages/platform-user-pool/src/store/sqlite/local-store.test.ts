import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '../../../../platform-runtime/src/testing/temporary-folder.ts'
import { userPoolStoreSuite } from '../../testing/user-pool-store-suite.ts'
import { localStore } from './local-store.ts'

userPoolStoreSuite('SQLite', async () => {
  const folder = temporaryFolder()
  const open = () => localStore(new DatabaseSync(join(folder.path, 'user-pools.db')))
  let store = open()
  return {
    store,
    async reopen() {
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
