import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '@signalbox/platform-runtime'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { maildirs } from '../mailboxes/maildirs.ts'
import { MailStoreError } from '../store/mail-store-error.ts'
import { localMailStore } from '../store/sqlite/local-mail-store.ts'
import { officeSettings } from '../testing/mail-listener.ts'
import { deliveryAttempts } from './delivery-attempts.ts'
import { reports } from './reports.ts'

it('a delivery to many recipients leaves a reserve of free disk space', async () => {
  using folder = temporaryFolder()
  // The number of copies for which the disk still has space.
  let copies = 2
  const mailboxes = maildirs(folder.path, bytes => bytes === 3 && copies-- > 0)
  const clock = manualClock(1_700_000_000_000)
  const store = localMailStore(new DatabaseSync(':memory:'))
  const effects = { mailboxes, servers: undefined }
  const reportsTo = reports(officeSettings, { clock, random: systemRandom })
  const deliver = deliveryAttempts(store, officeSettings, effects, reportsTo, { clock })
  const deliverDue = async () => {
    for (const delivery of (await store.claimDeliveries('mailbox', clock.now(), 10)).work)
      await deliver(delivery)
  }
  const to = (name: string) =>
    ({
      address: `${name}@office.example`,
      direction: 'INBOUND',
      state: 'delivering',
      destination: 'inbox',
      why: '',
    }) as const
  await store.accept({
    ...{
      id: 'mail',
      receivedAt: clock.now(),
      from: '',
      author: '',
      subject: '',
      spam: false,
      report: false,
      utf8: false,
    },
    raw: Buffer.from('Hi!'),
    recipients: [to('ann'), to('bob'), to('eve')],
    invocations: [],
  })
  await deliverDue()
  expect(await mailboxes.list()).toHaveLength(2)
  const [state] = await store.states()
  expect(state!.recipients).toMatchObject([
    { state: 'delivered' },
    { state: 'delivered' },
    { state: 'delivering', why: 'there is no space on the disk', nextAt: clock.now() + 60_000 },
  ])
  copies = 1
  await clock.advance(60_000)
  await deliverDue()
  expect(await mailboxes.list('eve@office.example')).toHaveLength(1)
})

it('a delivery attempt has no result while the mailbox storage is unavailable, and is repeated soon', async () => {
  using folder = temporaryFolder()
  const clock = manualClock(1_700_000_000_000)
  const store = localMailStore(new DatabaseSync(':memory:'))
  const away = {
    ...maildirs(folder.path, () => true),
    deliver: async () => {
      throw new MailStoreError('UNAVAILABLE', 'The database is not available.')
    },
  }
  const effects = { mailboxes: away, servers: undefined }
  const reportsTo = reports(officeSettings, { clock, random: systemRandom })
  const deliver = deliveryAttempts(store, officeSettings, effects, reportsTo, { clock })
  await store.accept({
    ...{
      id: 'mail',
      receivedAt: clock.now(),
      from: '',
      author: '',
      subject: '',
      spam: false,
      report: false,
      utf8: false,
    },
    raw: Buffer.from('Hi!'),
    recipients: [
      {
        address: 'ann@office.example',
        direction: 'INBOUND',
        state: 'delivering',
        destination: 'inbox',
        why: '',
      },
    ],
    invocations: [],
  })
  const [delivery] = (await store.claimDeliveries('mailbox', clock.now(), 10)).work
  await expect(deliver(delivery!)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect((await store.states())[0]!.recipients).toMatchObject([{ attempts: 0, nextAt: clock.now() }])
})
