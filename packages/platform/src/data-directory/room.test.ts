import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { roomOf } from './room.ts'

it('there is room in memory, and on a disk that is not full', () => {
  using folder = temporaryFolder()
  const database = new DatabaseSync(join(folder.path, 'some.sqlite'))
  expect(roomOf(database)()).toBe(true)
  expect(roomOf(database)(1e18)).toBe(false)
  database.close()
  expect(roomOf(new DatabaseSync(':memory:'))()).toBe(true)
})
