import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { DamagedFileError, damageReporter } from './damaged-file.ts'

const fromThings = damageReporter('The things', 'Move it away.')

function things(path: string) {
  const database = new DatabaseSync(path)
  database.exec('create table things (thing text); insert into things values (1)')
  database.close()
}

it.each([
  ['is not a database', () => Buffer.from('hello '.repeat(1000)), 'file is not a database'],
  ['was overwritten', (bytes: Buffer) => bytes.fill(1, 4096), 'database disk image is malformed'],
])('the error about a file that %s names its path and gives advice', (_, damage, why) => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'things.sqlite')
  things(path)
  writeFileSync(path, damage(readFileSync(path)))
  const database = new DatabaseSync(path)
  const read = () => fromThings.run(database, () => database.prepare('select * from things').all())
  expect(read).toThrow(DamagedFileError)
  expect(read).toThrow(`The things in ${path} are damaged: ${why}. Move it away.`)
  database.close()
})

it('damageReporter() passes on results and unrelated errors unchanged', () => {
  using database = new DatabaseSync(':memory:')
  expect(() => fromThings.run(database, () => database.exec('select'))).toThrow(/syntax|incomplete/)
  expect(() =>
    fromThings.run(database, () => {
      throw undefined
    }),
  ).toThrow()
  expect(fromThings.run(database, () => 7)).toBe(7)
})
