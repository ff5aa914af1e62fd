import { userPoolStoreSuite } from '../../../platform-user-pool/src/testing/user-pool-store-suite.ts'
import { openDatabase } from '../database.ts'
import { layOut } from '../layout/lay-out.ts'
import { testServer } from '../testing/server-suite.ts'
import { userPoolStore } from './user-pool-store.ts'

const { options } = testServer()

userPoolStoreSuite('PostgreSQL', async () => {
  const chosen = options()
  const open = async () => {
    const database = openDatabase(chosen)
    await layOut(database, chosen.schema)
    return { database, store: userPoolStore(database, true) }
  }
  let opened = await open()
  return {
    store: opened.store,
    async reopen() {
      await opened.store.close()
      await opened.database.close()
      opened = await open()
      return opened.store
    },
    async end() {
      await opened.store.close()
      await opened.database.close()
    },
  }
})
