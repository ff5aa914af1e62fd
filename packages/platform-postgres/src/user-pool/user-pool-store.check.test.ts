import { randomBytes } from 'node:crypto'
import { expect, it } from '@jest/globals'
import type { Message, User } from '@signalbox/platform-user-pool/store'
import { userPoolStoreSuite } from '@signalbox/platform-user-pool/testing/user-pool-store-suite'
import { openDatabase } from '../database.ts'
import { layOut } from '../layout/lay-out.ts'
import { periodicWork } from '../periodic-work.ts'
import { presence } from '../presence.ts'
import { testServer } from '../testing/server-suite.ts'
import { userPoolStore } from './user-pool-store.ts'

const { options, query } = testServer()

userPoolStoreSuite('PostgreSQL', async () => {
  const chosen = options()
  const open = async () => {
    const database = openDatabase(chosen)
    await layOut(database, chosen.schema)
    return { database, store: userPoolStore(database, 'platform', true) }
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

const pool = 'eu-central-1_Staff01'
const message: Message = {
  ...{
    id: 'm-1',
    user: 'u-1',
    occasion: 'Authentication',
    medium: 'SMS',
    to: '+4930123456',
    state: 'waiting',
  },
  ...{ contents: 'sealed', ends: Date.now() + 60_000, created: Date.now() },
}

it('a sign-in name that is too long for an index is refused with an error that clients understand', async () => {
  const chosen = options()
  const database = openDatabase(chosen)
  await layOut(database, chosen.schema)
  const store = userPoolStore(database, 'platform')
  const now = Date.now()
  const user: User = {
    id: 'u-1',
    name: 'ann',
    status: 'CONFIRMED',
    enabled: true,
    attributes: {},
    password: undefined,
    passwordExpires: undefined,
    factors: undefined,
    // PostgreSQL would compress text that repeats itself.
    signInNames: [randomBytes(4000).toString('hex')],
    created: now,
    modified: now,
  }
  await expect(store.change({ pool, now, users: [{ user, was: undefined }] })).rejects.toMatchObject({
    type: 'InvalidParameterException',
    message: 'A name is too long.',
  })
  expect(await store.countUsers(pool)).toBe(0)
  await store.close()
  await database.close()
})

it('a waiting message is delivered by only one platform, and by another platform only after the first one is gone', async () => {
  const chosen = options()
  const platforms = await Promise.all(
    ['one', 'two', 'three'].map(async platformId => {
      const database = openDatabase(chosen)
      await layOut(database, chosen.schema)
      const present = await presence(database, periodicWork(database), platformId)
      const store = userPoolStore(database, platformId)
      const end = async () => {
        await present.end()
        await store.close()
        await database.close()
      }
      return { store, end }
    }),
  )
  const [paused, ...others] = platforms.map(({ store }) => store)
  const claimed = async () => (await Promise.all(others.map(store => store.waitingMessages()))).flat()
  await paused!.change({ pool, now: Date.now(), messages: [message] })
  expect(await claimed()).toEqual([])
  expect(await paused!.waitingMessages()).toMatchObject([{ id: 'm-1', pool }])
  const taken: unknown[] = []
  // The last heartbeat of the paused platform may still be on its way.
  while (taken.length === 0) {
    await query(`update ${chosen.schema}.platforms set alive_until = 0 where id = 'one'`)
    taken.push(...(await claimed()))
  }
  expect(taken).toMatchObject([{ id: 'm-1' }])
  await paused!.setMessage(pool, { id: 'm-1', state: 'failed', contents: 'late' })
  expect(await paused!.waitingMessages()).toEqual([])
  expect(await paused!.messages(pool)).toMatchObject([{ state: 'waiting', contents: 'sealed' }])
  for (const { end } of platforms) await end()
})
