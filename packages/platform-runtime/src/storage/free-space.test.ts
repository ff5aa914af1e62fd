import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { freeSpaceOf } from './free-space.ts'

const megabyte = 1024 * 1024

/** Creates a database on a disk of 100 MB, partly taken by the database and other files. */
function diskOf100(folder: string, pragmas = 'pragma auto_vacuum = incremental') {
  const path = join(folder, 'some.sqlite')
  const database = new DatabaseSync(path)
  database.exec(`${pragmas}; pragma journal_mode = wal; create table rows (bytes blob)`)
  const disk = { others: 0 }
  const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  const free = () => 100 * megabyte - disk.others - size(path) - size(`${path}-wal`)
  const space = freeSpaceOf(database, () => ({ free: free(), total: 100 * megabyte }))
  const insert = database.prepare('insert into rows values (?)')
  return { database, disk, free, space, insert: (bytes: number) => insert.run(Buffer.alloc(bytes, 'x')) }
}

it('a database in memory or on a disk that is not full has free space', () => {
  using folder = temporaryFolder()
  using database = new DatabaseSync(join(folder.path, 'some.sqlite'))
  expect(freeSpaceOf(database).forRows({})).toBe(true)
  expect(freeSpaceOf(database).forRows({ bytes: 1e18 })).toBe(false)
  expect(freeSpaceOf(database).forFile(1)).toBe(true)
  expect(freeSpaceOf(database).forFile(1e18)).toBe(false)
  using memory = new DatabaseSync(':memory:')
  const { forRows, forFile, returnPages } = freeSpaceOf(memory)
  expect([forRows({ bytes: 1e18 }), forFile(1e18), returnPages()]).toEqual([true, true, false])
})

it('new rows leave a tenth of a small disk free, and new files leave a twentieth free', () => {
  using folder = temporaryFolder()
  const { database, disk, free, space } = diskOf100(folder.path)
  disk.others += free() - 12 * megabyte
  expect([{ bytes: 0.9 * megabyte }, { bytes: megabyte }].map(space.forRows)).toEqual([true, false])
  expect([space.forFile(6 * megabyte), space.forFile(8 * megabyte)]).toEqual([true, false])
  database.close()
})

it('the free space includes the free pages of a database that filled the disk and was emptied', () => {
  using folder = temporaryFolder()
  const { database, disk, free, space, insert } = diskOf100(folder.path, '')
  for (let count = 0; count < 20; count++) insert(megabyte)
  disk.others += free() - 9 * megabyte
  expect(space.forRows({})).toBe(false)
  database.exec('delete from rows')
  expect(space.forRows({})).toBe(true)
  expect(space.forRows({ bytes: 9 * megabyte })).toBe(true)
  expect(space.forRows({ bytes: 10 * megabyte })).toBe(false)
  // A new file needs free space on the disk.
  expect(space.forFile(10 * megabyte)).toBe(false)
  // The log needs space on the disk, too.
  disk.others += free() - 4 * megabyte
  expect(space.forRows({})).toBe(false)
  expect(space.returnPages()).toBe(false)
  database.close()
})

it('free pages are returned in steps to a disk that is nearly full, and are kept otherwise', () => {
  using folder = temporaryFolder()
  const { database, disk, free, space, insert } = diskOf100(folder.path)
  for (let count = 0; count < 20; count++) insert(megabyte)
  database.exec('delete from rows')
  expect(space.returnPages()).toBe(false)
  disk.others += free() - 9 * megabyte
  let rounds = 1
  while (space.returnPages()) rounds++
  expect(rounds).toBeGreaterThan(4)
  database.exec('pragma wal_checkpoint(truncate)')
  expect(free()).toBeGreaterThan(28 * megabyte)
  expect(space.forFile(20 * megabyte)).toBe(true)
  database.close()
})
