import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { unprivileged } from '../testing/unprivileged.ts'
import { dataDirectory } from './data-directory.ts'
import { hasDatabase, openForReading, UnusableFileError } from './database-files.ts'

/** Creates a data directory with one database, which a stopped platform has used and closed. */
function usedDirectory(folder: string, name = 'things'): string {
  const directory = dataDirectory(folder)
  directory.lock()
  const database = directory.open(name)
  database.exec('pragma journal_mode = wal; create table things (thing text)')
  database.close()
  directory.release()
  return join(folder, `${name}.sqlite`)
}

const opened =
  (folder: string, name = 'things') =>
  () =>
    dataDirectory(folder).open(name).close()
const read =
  (folder: string, name = 'things') =>
  () =>
    openForReading(folder, name)?.close()

describe('an emptied database', () => {
  it.each([
    ['its file has no bytes', (path: string) => truncateSync(path)],
    [
      'a new database replaced its file',
      (path: string) => {
        rmSync(path)
        new DatabaseSync(path).exec('pragma journal_mode = delete; pragma user_version = 1')
      },
    ],
  ])('is not mistaken for a new one when %s', (_, empty) => {
    using folder = temporaryFolder()
    const path = usedDirectory(folder.path)
    empty(path)
    const sentence = `${path} is empty, but held data, as ${join(folder.path, 'databases.json')} says. Restore a copy of the file, or delete it to start with an empty one.`
    for (const open of [opened(folder.path), read(folder.path)]) {
      expect(open).toThrow(UnusableFileError)
      expect(open).toThrow(sentence)
    }
    rmSync(path)
    expect(opened(folder.path)).not.toThrow()
  })

  it('is not taken for a new one after a platform was killed in its first run', () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'things.sqlite')
    // A platform that is killed leaves all of its files.
    const database = dataDirectory(folder.path).open('things')
    database.exec('pragma journal_mode = wal; create table things (thing text)')
    const [main, log] = [readFileSync(path), readFileSync(`${path}-wal`)]
    database.close()
    writeFileSync(`${path}-wal`, log)
    writeFileSync(path, '')
    expect(opened(folder.path)).toThrow(`${path} is empty, but has a log beside it. Restore`)
    expect(read(folder.path)).toThrow(`${path} is empty, but has a log beside it. Restore`)
    expect(readFileSync(`${path}-wal`)).toEqual(log)
    writeFileSync(path, main)
    expect(opened(folder.path)).not.toThrow()
  })

  it('is not taken for a new one when no platform has released the data directory', () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'things.sqlite')
    for (let round = 0; round < 2; round++) {
      const database = dataDirectory(folder.path).open('things')
      database.exec('create table if not exists things (thing text)')
      database.close()
    }
    truncateSync(path)
    expect(opened(folder.path)).toThrow('is empty, but held data')
  })

  it('counts as new when databases.json does not list it', () => {
    using folder = temporaryFolder()
    usedDirectory(folder.path, 'others')
    writeFileSync(join(folder.path, 'things.sqlite'), '')
    expect(read(folder.path)).not.toThrow()
    expect(opened(folder.path)).not.toThrow()
    writeFileSync(join(folder.path, 'databases.json'), 'damaged')
    expect(opened(folder.path)).not.toThrow()
  })
})

describe('a database', () => {
  it('cannot be opened for reading before it is created', () => {
    using folder = temporaryFolder()
    expect([hasDatabase(folder.path, 'things'), openForReading(folder.path, 'things')]).toEqual([
      false,
      undefined,
    ])
    usedDirectory(folder.path)
    expect(hasDatabase(folder.path, 'things')).toBe(true)
    using database = openForReading(folder.path, 'things')!
    expect(database.prepare('select * from things').all()).toEqual([])
    expect(() => database.exec('drop table things')).toThrow('readonly')
  })

  it('is named in the error when its file cannot be inspected', () => {
    using folder = temporaryFolder()
    // A folder without access would be a better case, but root, who may run this test, has access to every folder.
    const long = 'x'.repeat(300)
    for (const look of [() => hasDatabase(folder.path, long), read(folder.path, long)])
      expect(look).toThrow(
        new RegExp(`^The data directory ${folder.path} cannot be read: ENAMETOOLONG: .*x\\.sqlite'\\.$`),
      )
  })

  it('can be opened while another process writes to it', () => {
    using folder = temporaryFolder()
    const path = usedDirectory(folder.path)
    using other = new DatabaseSync(path)
    other.exec('begin immediate')
    expect(opened(folder.path)).not.toThrow()
  })

  it('is named in the error when it or its directory is read-only', () => {
    using folder = temporaryFolder()
    const path = usedDirectory(folder.path)
    chmodSync(folder.path, 0o755)
    chmodSync(path, 0o444)
    const why = `The data directory ${folder.path} cannot be used: ${path}: attempt to write a readonly database.`
    unprivileged(() => expect(opened(folder.path)).toThrow(why))
    chmodSync(path, 0o666)
    chmodSync(folder.path, 0o555)
    unprivileged(() => {
      expect(opened(folder.path)).toThrow(
        new RegExp(`^The data directory ${folder.path} cannot be used: ${path}: .*\\.$`),
      )
      expect(opened(folder.path, 'more')).toThrow(
        `The data directory ${folder.path} cannot be used: EACCES: permission denied, open '${folder.path}/more.sqlite'.`,
      )
      expect(() => dataDirectory(folder.path).lock()).toThrow(
        new RegExp(`^The data directory ${folder.path} cannot be used: .*lock\\.sqlite.*\\.$`),
      )
      expect(() => dataDirectory(join(folder.path, 'new'))).toThrow(
        `The data directory ${folder.path}/new cannot be used: EACCES: permission denied, mkdir '${folder.path}/new'.`,
      )
    })
    chmodSync(folder.path, 0o755)
    expect(existsSync(join(folder.path, 'more.sqlite'))).toBe(false)
  })

  it('can be read only by its owner', () => {
    using folder = temporaryFolder()
    mkdirSync(join(folder.path, 'data'), { mode: 0o755 })
    const path = usedDirectory(join(folder.path, 'data'))
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })
})
