import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { durability } from './durability.ts'
import { groupCommit } from './group-commit.ts'
import { transactions } from './transactions.ts'

/** Creates a database on the disk. Its log reaches the disk only when the test syncs it. */
function slowDisk(path: string) {
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = wal; create table notes (text text)')
  const insert = database.prepare('insert into notes values (?)')
  const write = transactions(database, () => new Error('full'))
  const syncs: { readonly path: string; readonly end: (error?: Error) => void }[] = []
  const onDisk = durability(
    database,
    path =>
      new Promise((resolve, reject) => {
        syncs.push({ path, end: error => (error === undefined ? resolve() : reject(error)) })
      }),
  )
  return {
    database,
    syncs,
    onDisk,
    share: groupCommit(write, onDisk),
    note: (text: string) => write(() => insert.run(text)),
  }
}

const turn = () => new Promise<void>(resolve => setImmediate(resolve))

/** Returns whether a promise is settled after one turn of the event loop. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  const end = () => {
    settled = true
  }
  promise.then(end, end)
  await turn()
  return settled
}

it('a commit returns at once, and counts as durable after the log and its folder were flushed to disk', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'notes.sqlite')
  const { database, note, onDisk, syncs } = slowDisk(path)
  note('a')
  const done = onDisk()
  expect(await isSettled(done)).toBe(false)
  expect(syncs.map(({ path }) => path)).toEqual([`${path}-wal`])
  syncs[0]!.end()
  expect(await isSettled(done)).toBe(false)
  expect(syncs[1]!.path).toBe(folder.path)
  syncs[1]!.end()
  await done
  await onDisk()
  expect(syncs).toHaveLength(2)
  database.close()
})

it('a commit during a sync waits for the next sync, together with later commits', async () => {
  using folder = temporaryFolder()
  const { database, note, onDisk, syncs } = slowDisk(join(folder.path, 'notes.sqlite'))
  note('a')
  const first = onDisk()
  await turn()
  const later = ['b', 'c'].map(text => {
    note(text)
    return onDisk()
  })
  syncs[0]!.end()
  await turn()
  syncs[1]!.end()
  await first
  await turn()
  expect(await isSettled(Promise.race(later))).toBe(false)
  expect(syncs).toHaveLength(3)
  syncs[2]!.end()
  await Promise.all(later)
  expect(syncs).toHaveLength(3)
  database.close()
})

it('a failing disk rejects only the commits that wait for it, and the error contains the path', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'notes.sqlite')
  const { database, note, onDisk, syncs } = slowDisk(path)
  note('a')
  const first = onDisk()
  await turn()
  syncs[0]!.end(new Error('EIO: i/o error, fdatasync'))
  await expect(first).rejects.toThrow(`${path}-wal cannot be brought to the disk: EIO: i/o error, fdatasync.`)
  const again = onDisk()
  await turn()
  syncs[1]!.end()
  await turn()
  syncs[2]!.end()
  await again
  database.close()
})

it('work in a shared transaction resolves when it is on the disk, and does not block the event loop', async () => {
  using folder = temporaryFolder()
  const { database, share, syncs } = slowDisk(join(folder.path, 'notes.sqlite'))
  const insert = database.prepare('insert into notes values (?)')
  const work = share(() => insert.run('a'))
  await turn()
  expect(database.prepare('select text from notes').all()).toEqual([{ text: 'a' }])
  expect(await isSettled(work)).toBe(false)
  for (const at of [0, 1]) {
    syncs[at]!.end()
    await turn()
  }
  await work
  database.close()
})

it('a commit to an in-memory database or to a closed database does not wait for the disk', async () => {
  using folder = temporaryFolder()
  for (const path of [':memory:', join(folder.path, 'notes.sqlite')]) {
    const database = new DatabaseSync(path)
    database.exec('pragma journal_mode = wal; create table notes (text text)')
    const onDisk = durability(database)
    transactions(database, () => new Error('full'))(() => database.exec("insert into notes values ('a')"))
    database.close()
    await onDisk()
  }
  expect(existsSync(join(folder.path, 'notes.sqlite-wal'))).toBe(false)
})

it('a commit fails after the log of the open database was deleted', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'notes.sqlite')
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = wal; create table notes (text text)')
  const onDisk = durability(database)
  const note = () =>
    transactions(database, () => new Error('full'))(() => database.exec("insert into notes values ('a')"))
  note()
  await onDisk()
  rmSync(`${path}-wal`)
  note()
  await expect(onDisk()).rejects.toThrow(`${path}-wal cannot be brought to the disk: ENOENT`)
  database.close()
})
