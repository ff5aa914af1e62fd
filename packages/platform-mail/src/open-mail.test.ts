import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '@signalbox/platform-runtime'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { localMailStorage } from './mail-storage.ts'
import { openMail } from './open-mail.ts'
import { officeSettings } from './testing/mail-listener.ts'
import { mailSetup } from './testing/mail-setup.ts'

const storageOf = (database: DatabaseSync, folder: string) =>
  localMailStorage({ open: () => database, folder: () => folder })()

it('openMail() closes its store when the listener cannot start', async () => {
  await using setup = await mailSetup(() => {})
  const database = new DatabaseSync(':memory:')
  const clock = manualClock()
  const context = {
    dispatch: () => Promise.reject(),
    clock,
    machineClock: clock,
    random: systemRandom,
    notice: () => {},
  }
  await expect(
    openMail({ ...officeSettings, port: setup.port }, await storageOf(database, '/nowhere'), context),
  ).rejects.toThrow(`The mail listener cannot start: port ${setup.port} of 127.0.0.1 is in use`)
  expect(database.isOpen).toBe(false)
  expect(clock.waiting).toBe(0)
})

it('openMail() names the damaged database file in its error, and closes its store', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'mail.sqlite')
  const context = {
    dispatch: () => Promise.reject(),
    clock: manualClock(),
    machineClock: manualClock(),
    random: systemRandom,
    notice: () => {},
  }
  const open = async (database: DatabaseSync, port = 0) =>
    openMail({ ...officeSettings, port }, await storageOf(database, folder.path), context)
  const first = await open(new DatabaseSync(path))
  await first.stop(0)
  // SQLite can read other pages only if the first page is intact.
  writeFileSync(path, readFileSync(path).fill(1, 4096))
  const database = new DatabaseSync(path)
  const port = Number(new URL(first.url).port)
  await expect(open(database, port)).rejects.toThrow(
    `The mails in ${path} are damaged: database disk image is malformed.`,
  )
  expect(database.isOpen).toBe(false)
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
})
