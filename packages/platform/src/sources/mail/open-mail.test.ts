import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '../../random.ts'
import { mailBox } from '../../testing/mail-box.ts'
import { officeSettings } from '../../testing/mail-listener.ts'
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
