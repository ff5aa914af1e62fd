import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '../../random.ts'
import { mailBox } from '../../testing/mail-box.ts'
import { officeSettings } from '../../testing/mail-listener.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { openMail } from './open-mail.ts'

it('leaves nothing open when it cannot listen', async () => {
  await using box = await mailBox(() => {})
  const database = new DatabaseSync(':memory:')
  const clock = manualClock()
  const context = { dispatch: () => Promise.reject(), clock, random: systemRandom, notice: () => {} }
  await expect(
    openMail({ ...officeSettings, port: box.port }, { database, folder: '/nowhere' }, context),
  ).rejects.toThrow(`The mail listener cannot start: port ${box.port} of 127.0.0.1 is in use.`)
  expect(database.isOpen).toBe(false)
  expect(clock.waiting).toBe(0)
})

it('says which file is damaged, and leaves nothing open', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'mail.sqlite')
  const context = {
    dispatch: () => Promise.reject(),
    clock: manualClock(),
    random: systemRandom,
    notice: () => {},
  }
  const open = (database: DatabaseSync) =>
    openMail(officeSettings, { database, folder: folder.path }, context)
  await (await open(new DatabaseSync(path))).stop(0)
  const servers = () => process.getActiveResourcesInfo().filter(name => name === 'TCPServerWrap').length
  const before = servers()
  // The first page says what is in the others.
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(1, 4096))
  const database = new DatabaseSync(path)
  await expect(open(database)).rejects.toThrow(`The mails in ${path} are damaged: database disk image is`)
  expect(database.isOpen).toBe(false)
  expect(servers()).toBe(before)
})
