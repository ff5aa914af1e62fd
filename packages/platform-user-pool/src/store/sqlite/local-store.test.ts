import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
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

it('a SQLite user-pool store deletes expired credentials when new ones are added', async () => {
  const database = new DatabaseSync(':memory:')
  const store = localStore(database)
  const day = 86_400_000
  const add = async (now: number, count: number, kind: 'session' | 'grant', expires: number) => {
    for (let number = 0; number < count; number++)
      await store.change({
        pool: 'p',
        now,
        adds: [{ kind, id: `${kind} ${now} ${number}`, user: 'u', expires, value: '' }],
      })
  }
  await add(0, 1500, 'grant', 365 * day)
  // Each day, 100 sessions begin that expire before the next day.
  for (let now = 0; now < 30 * day; now += day) await add(now, 100, 'session', now + day)
  const { sessions, grants } = database
    .prepare("select sum(kind = 'session') as sessions, sum(kind = 'grant') as grants from credentials")
    .get()!
  expect(grants).toBe(1500)
  expect(sessions).toBeLessThan(400)
  await store.close()
})

it('a search of many users serves other work in between, and finds each matching user once, in order', async () => {
  const store = localStore(new DatabaseSync(':memory:'))
  const nameOf = (number: number) => `user${String(number).padStart(4, '0')}`
  const all = Array.from({ length: 2750 }, (_, number) => ({
    id: `${number}`,
    name: nameOf(number),
    status: 'CONFIRMED' as const,
    enabled: true,
    attributes: { nickname: number % 250 === 249 ? 'Quarter' : 'Other' },
    password: undefined,
    passwordExpires: undefined,
    signInNames: [nameOf(number)],
    created: 0,
    modified: 0,
  }))
  await store.change({ pool: 'p', now: 0, users: all.map(user => ({ user, was: undefined })) })
  const search = async (value: string, limit: number, after?: string) => {
    let turns = 0
    let isOver = false
    const found = store
      .users('p', { limit, after, filter: { name: 'nickname', value, isPrefix: false } })
      .finally(() => {
        isOver = true
      })
    for (; !isOver; turns++) await new Promise(setImmediate)
    return { turns, names: (await found).map(({ name }) => name) }
  }
  const quarters = Array.from({ length: 11 }, (_, at) => nameOf(at * 250 + 249))
  const nobody = await search('Nobody', 60)
  expect(nobody.names).toEqual([])
  expect(nobody.turns).toBeGreaterThan(4)
  expect((await search('Quarter', 60)).names).toEqual(quarters)
  expect((await search('Quarter', 4)).names).toEqual(quarters.slice(0, 4))
  expect((await search('Quarter', 60, quarters[3])).names).toEqual(quarters.slice(4))
  await store.close()
})

it('a user-pool store that finds damaged users names the file and says what to do', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'user-pools.sqlite')
  const store = localStore(new DatabaseSync(path))
  const users = Array.from({ length: 500 }, (_, number) => ({
    user: {
      id: `${number}`,
      name: `user${number}`,
      status: 'CONFIRMED' as const,
      enabled: true,
      attributes: { nickname: 'x'.repeat(1000) },
      password: undefined,
      signInNames: [`user${number}`],
      created: 0,
      modified: 0,
    },
    was: undefined,
  }))
  await store.change({ pool: 'p', now: 0, users })
  await store.close()
  const bytes = readFileSync(path)
  // The first pages have the tables, so that the store can be opened.
  writeFileSync(path, bytes.fill(1, bytes.length / 2))
  const damaged = localStore(new DatabaseSync(path))
  const listed = damaged.users('p', { limit: 500 })
  await expect(listed).rejects.toThrow(`The user pools in ${path} are damaged: `)
  await expect(listed).rejects.toThrow('Put a copy of the file back')
  await damaged.close()
})
