import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '../../../platform-runtime/src/random.ts'
import { temporaryFolder } from '../../../platform-runtime/src/testing/temporary-folder.ts'
import { maildirs } from '../delivery/maildirs.ts'
import { mailStates } from '../store/mail-report.ts'
import { openMailStore } from '../store/mail-store.ts'
import { officeSettings } from '../testing/mail-listener.ts'
import { deliveries } from './deliveries.ts'

it('a mail for many fills the disk no further than a mail that comes in may', async () => {
  using folder = temporaryFolder()
  const boxes = maildirs(folder.path)
  const database = new DatabaseSync(':memory:')
  const clock = manualClock(1_700_000_000_000)
  const store = openMailStore(database)
  // A disk on which two more copies find room.
  let room = 2
  const hasRoomForFile = (bytes?: number) => bytes === 3 && room-- > 0
  const context = { clock, random: systemRandom }
  const deliver = deliveries({ ...store, hasRoomForFile }, officeSettings, boxes, undefined, context)
  const to = (name: string) =>
    ({
      address: `${name}@office.example`,
      direction: 'INBOUND',
      state: 'delivering',
      way: 'inbox',
      why: '',
    }) as const
  await store.accept({
    ...{ id: 'mail', receivedAt: clock.now(), from: '', author: '', subject: '', spam: false, report: false },
    raw: Buffer.from('Hi!'),
    recipients: [to('ann'), to('bob'), to('eve')],
    invocations: [],
  })
  await deliver('mail', 'mailbox')
  expect(await boxes.list()).toHaveLength(2)
  expect(mailStates(database)[0]!.recipients).toMatchObject([
    { state: 'delivered' },
    { state: 'delivered' },
    { state: 'delivering', why: 'there is no room on the disk', nextAt: clock.now() + 60_000 },
  ])
  room = 1
  await deliver('mail', 'mailbox')
  expect(await boxes.list('eve@office.example')).toHaveLength(1)
})
