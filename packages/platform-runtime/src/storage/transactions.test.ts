import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { freeSpaceOf } from './free-space.ts'
import { groupCommit } from './group-commit.ts'
import { rollBack, transactions } from './transactions.ts'

const megabyte = 1024 * 1024

it('rollBack() ends an open transaction, and does nothing when no transaction is open', () => {
  using database = new DatabaseSync(':memory:')
  database.exec('create table things (thing text); begin; insert into things values (1)')
  rollBack(database)
  rollBack(database)
  expect(database.prepare('select * from things').all()).toEqual([])
  database.exec('begin; commit')
})

/** Opens a database on a disk of 100 MB, whose reserve is 10 MB. */
function notesOn(folder: string, free: () => number) {
  const database = new DatabaseSync(join(folder, 'notes.sqlite'))
  database.exec('create table notes (text text)')
  const space = freeSpaceOf(database, () => ({ free: free() * megabyte, total: 100 * megabyte }))
  let isGivenUp = false
  const write = transactions(database, options => new Error('full', options), {
    ...space,
    giveUpReserve() {
      if (isGivenUp) return false
      isGivenUp = true
      database.exec('pragma max_page_count = 1000')
      return true
    },
  })
  const insert = database.prepare('insert into notes values (?)')
  return { database, write, add: (text: string) => () => void insert.run(text) }
}

it('a write that does not say what it needs keeps the reserve, and each kind of data leaves more or less free', () => {
  using folder = temporaryFolder()
  let free = 50
  const { database, write, add } = notesOn(folder.path, () => free)
  const allowed = (at: number) => {
    free = at
    return (['log', 'anonymous', 'session', 'data'] as const).filter(kind => {
      try {
        write(add(kind), { kind })
        return true
      } catch {
        return false
      }
    })
  }
  expect(allowed(31)).toEqual(['log', 'anonymous', 'session', 'data'])
  expect(allowed(29)).toEqual(['anonymous', 'session', 'data'])
  expect(allowed(19)).toEqual(['session', 'data'])
  expect(allowed(14)).toEqual(['data'])
  expect(allowed(9)).toEqual([])
  expect(() => write(add('unnamed'))).toThrow('full')
  write(add('essential'), 'essential')
  free = 11
  expect(() => write(add('large'), { bytes: megabyte })).toThrow('full')
  database.close()
})

it('essential work that finds the disk full gets the reserve file, and other work does not', () => {
  using folder = temporaryFolder()
  const { database, write, add } = notesOn(folder.path, () => 50)
  database.exec('pragma max_page_count = 3')
  const large = add('x'.repeat(20_000))
  expect(() => write(large)).toThrow('full')
  write(large, 'essential')
  expect(database.prepare('select count(*) as count from notes').get()).toEqual({ count: 1 })
  database.exec('pragma max_page_count = 9')
  expect(() => write(large, 'essential')).toThrow('full')
  database.close()
})

it('a deletion goes on when it shares a transaction with work that has no space', async () => {
  using folder = temporaryFolder()
  let free = 50
  const { database, write, add } = notesOn(folder.path, () => free)
  const share = groupCommit(write, async () => {})
  await share(add('a'))
  free = 5
  const results = await Promise.allSettled([
    share(add('b')),
    share(() => database.exec('delete from notes'), 'essential'),
    share(add('c'), { kind: 'anonymous' }),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected'])
  expect(database.prepare('select count(*) as count from notes').get()).toEqual({ count: 0 })
  database.close()
})
