import { fork } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { DataDirectoryInUseError, dataDirectory, readHolder } from './data-directory.ts'
import { IncompleteDataError } from './incomplete-data-error.ts'

const isLinux = process.platform === 'linux'
const onLinux = isLinux ? it : it.skip

describe('a data directory', () => {
  it('is created so that only its owner can read it', () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'some', 'data')
    dataDirectory(path)
    expect(statSync(path).mode & 0o777).toBe(0o700)
  })

  it('has files that only their owner can read, even when all users can read the folder', () => {
    using folder = temporaryFolder()
    chmodSync(folder.path, 0o755)
    const directory = dataDirectory(folder.path)
    directory.lock()
    const database = directory.open('mail')
    database.exec('pragma journal_mode = wal; create table mails (raw blob)')
    const modes = () =>
      ['mail.sqlite', 'mail.sqlite-wal', 'lock.sqlite'].map(
        name => statSync(join(folder.path, name)).mode & 0o777,
      )
    expect(modes()).toEqual([0o600, 0o600, 0o600])
    database.close()
    directory.open('mail').close()
    directory.release()
  })

  it('is named in the error when the platform cannot use it', () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'file')
    writeFileSync(path, '')
    expect(() => dataDirectory(path)).toThrow(
      `The data directory ${path} cannot be used: EEXIST: file already exists, mkdir '${path}'.`,
    )
    mkdirSync(join(folder.path, 'mail.sqlite'))
    expect(() => dataDirectory(folder.path).open('mail')).toThrow(
      `The data directory ${folder.path} cannot be used: ${folder.path}/mail.sqlite: unable to open database file.`,
    )
  })

  onLinux.each(['/proc/signalbox', '/proc/signalbox/data'])(
    `is refused at %s, where nothing can be created${isLinux ? '' : ' (skipped: needs Linux)'}`,
    path => {
      expect(() => dataDirectory(path)).toThrow(`The data directory ${path} cannot be used: ENOENT`)
    },
  )

  it('refuses a second platform until the first has released it', () => {
    using folder = temporaryFolder()
    const [first, second] = [dataDirectory(folder.path), dataDirectory(folder.path)]
    first.lock()
    expect(() => second.lock()).toThrow(DataDirectoryInUseError)
    expect(() => second.lock()).toThrow(
      new RegExp(
        `^Another platform \\(process ${process.pid}, since 20.*\\) is using .*signalbox-test-.*Stop it, or set another dataDir`,
      ),
    )
    first.release()
    second.lock()
    second.release()
  })

  it('refuses a platform while the directory holds only a part of the data', () => {
    using folder = temporaryFolder()
    const [copying, platform] = [dataDirectory(folder.path), dataDirectory(folder.path)]
    copying.lock({ allowsIncomplete: true })
    copying.setIncomplete(true)
    copying.release()
    expect(() => platform.lock()).toThrow(IncompleteDataError)
    expect(() => platform.lock()).toThrow(`Run the same copy again, or empty ${folder.path}.`)
    copying.lock({ allowsIncomplete: true })
    copying.setIncomplete(false)
    copying.release()
    platform.lock()
    platform.release()
  })

  it('can be used by another platform after the platform that locked it was killed', async () => {
    using folder = temporaryFolder()
    const holder = fork(new URL('./testing/holding-process.ts', import.meta.url), [folder.path], {
      execArgv: ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning'],
    })
    const gone = new Promise(resolve => holder.once('exit', resolve))
    const directory = dataDirectory(folder.path)
    try {
      await new Promise(resolve => holder.once('message', resolve))
      expect(() => directory.lock()).toThrow(`process ${holder.pid}`)
    } finally {
      holder.kill('SIGKILL')
    }
    await gone
    directory.lock()
    directory.release()
  })

  it('leaves no files behind when it is in memory', () => {
    const directory = dataDirectory(undefined)
    directory.lock()
    directory.open('invocation-log').close()
    directory.announce({ mail: 'smtp://127.0.0.1:2525' })
    const folder = directory.folder('mailboxes')
    writeFileSync(join(folder, 'mail'), '')
    directory.release()
    expect(existsSync(dirname(folder))).toBe(false)
  })

  it('announces the URLs of its platform until it is released', () => {
    using folder = temporaryFolder()
    const directory = dataDirectory(folder.path)
    directory.lock()
    expect(readHolder(folder.path)).toEqual({ pid: process.pid, since: expect.any(String), urls: {} })
    directory.announce({ control: 'http://127.0.0.1:9330' })
    directory.announce({ mail: 'smtp://127.0.0.1:2525' })
    expect(readHolder(folder.path)?.urls).toEqual({
      control: 'http://127.0.0.1:9330',
      mail: 'smtp://127.0.0.1:2525',
    })
    directory.release()
    expect(readHolder(folder.path)).toBeUndefined()
  })

  it('replaces its files as a whole, and keeps their modes', () => {
    using folder = temporaryFolder()
    const directory = dataDirectory(folder.path)
    directory.lock()
    directory.open('mail').exec('create table mails (raw blob)')
    directory.open('mail').close()
    for (const [name, replace] of [
      ['platform.json', () => directory.announce({ mail: 'smtp://127.0.0.1:2525' })],
      ['databases.json', () => directory.open('mail')],
    ] as const) {
      const file = join(folder.path, name)
      if (name === 'databases.json') writeFileSync(file, '["queues"]')
      chmodSync(file, 0o640)
      const reader = openSync(file, 'r')
      const before = readFileSync(file, 'utf8')
      replace()
      expect(readFileSync(file, 'utf8')).not.toBe(before)
      expect(readFileSync(reader, 'utf8')).toBe(before)
      expect(statSync(file).mode & 0o777).toBe(0o640)
      closeSync(reader)
    }
    directory.release()
  })

  // A draft that is a link to this device fails as on a full disk.
  onLinux.each(['/dev/full'])(
    `names a file that cannot be written, keeps the old one, and can be locked again (%s)${isLinux ? '' : ' (skipped: needs Linux)'}`,
    device => {
      using folder = temporaryFolder()
      const path = (name: string) => join(folder.path, name)
      const fill = (name: string) => symlinkSync(device, path(`${name}.${process.pid}.new`))
      const full = (name: string) =>
        `The data directory ${folder.path} cannot be used: ${path(name)}: ENOSPC: no space left on device, write.`
      const directory = dataDirectory(folder.path)
      directory.lock()
      const before = readFileSync(path('platform.json'), 'utf8')
      fill('platform.json')
      expect(() => directory.announce({ mail: 'smtp://127.0.0.1:2525' })).toThrow(full('platform.json'))
      expect(readFileSync(path('platform.json'), 'utf8')).toBe(before)

      const database = directory.open('mail')
      database.exec('create table mails (raw blob)')
      database.close()
      fill('databases.json')
      expect(() => directory.release()).toThrow(full('databases.json'))
      expect(readdirSync(folder.path).sort()).toEqual(['lock.sqlite', 'mail.sqlite'])
      const next = dataDirectory(folder.path)
      next.lock()
      next.release()
    },
  )

  it('creates folders that only their owner can read', () => {
    using folder = temporaryFolder()
    const path = dataDirectory(folder.path).folder('mailboxes')
    expect([path, statSync(path).mode & 0o777]).toEqual([join(folder.path, 'mailboxes'), 0o700])
  })
})
