import { expect, it, jest } from '@jest/globals'
import { systemClock } from '@signalbox/core/base'
import type { MailStore } from '@signalbox/platform-mail/store'
import { mailStorage } from '@signalbox/platform-mail/store'
import { mailStoreSuite } from '@signalbox/platform-mail/testing/mail-store-suite'
import { mailboxesSuite } from '@signalbox/platform-mail/testing/mailboxes-suite'
import { type Database, openDatabase } from '../database.ts'
import { layOut } from '../layout/lay-out.ts'
import { notifications } from '../notifications.ts'
import { periodicWork } from '../periodic-work.ts'
import { postgresEngine } from '../postgres-engine.ts'
import { presence } from '../presence.ts'
import { testServer } from '../testing/server-suite.ts'
import { mailStore } from './mail-store.ts'
import { mailboxes } from './mailboxes.ts'

const { options, query } = testServer()

/** Opens stores on one schema, each for a different platform. */
async function opened() {
  const chosen = options()
  const ends: (() => Promise<void>)[] = []
  let number = 0
  const open = async (wrapped: (database: Database) => Database = each => each) => {
    const platformId = `platform-${number++}`
    const database = wrapped(openDatabase(chosen))
    await layOut(database, chosen.schema)
    const shared = notifications(chosen, database, platformId)
    const periodic = periodicWork(database)
    const present = await presence(database, periodic, platformId)
    ends.push(async () => {
      await present.end()
      await shared.close()
      await database.close()
    })
    const parts = { database, notifications: shared, periodic, platformId, usesGivenTime: true }
    return { store: mailStore(parts), boxes: mailboxes(database) }
  }
  const end = async () => {
    for (const each of ends) await each()
  }
  return { schema: chosen.schema, open, end }
}

mailStoreSuite('PostgreSQL', async () => {
  const { open, end } = await opened()
  const { store } = await open()
  return { store, openAgain: async () => (await open()).store, end }
})

mailboxesSuite('PostgreSQL', async () => {
  const { open, end } = await opened()
  const { boxes } = await open()
  return { mailboxes: boxes, openAgain: async () => (await open()).boxes, end }
})

const accept = (store: MailStore, id: string) =>
  store.accept({
    ...{
      id,
      receivedAt: 1000,
      from: '',
      author: '',
      subject: 'a\0b',
      spam: false,
      report: false,
      utf8: false,
    },
    raw: Buffer.from('Subject: x\r\n\r\n'),
    recipients: [
      {
        address: 'bob@office.example',
        direction: 'INBOUND',
        state: 'delivering',
        destination: 'inbox',
        why: '',
      },
    ],
    invocations: [],
  })

it('a platform takes over a delivery from a dead platform, whose late result is ignored', async () => {
  const { schema, open, end } = await opened()
  const [{ store: paused }, { store: other }] = [await open(), await open()]
  await accept(paused, 'one')
  const { work: claimed } = await paused.claimDeliveries('mailbox', 1000, 10)
  expect(claimed).toHaveLength(1)
  expect((await other.claimDeliveries('mailbox', 1000, 10)).work).toEqual([])
  await query(`update ${schema}.platforms set alive_until = 0 where id = 'platform-0'`)
  const { work: takenOver } = await other.claimDeliveries('mailbox', 1000, 10)
  expect(takenOver).toMatchObject([{ mail: 'one', repeated: true }])
  const result = (state: 'delivered' | 'failed') => ({
    dispositions: [{ recipient: claimed[0]!.recipients[0]!.id, state, why: '' }],
    report: undefined,
  })
  await paused.concludeDelivery(claimed[0]!, 1, result('failed'), 2000, 1000)
  expect((await other.states())[0]!.recipients).toMatchObject([{ state: 'delivering', attempts: 0 }])
  await other.concludeDelivery(takenOver[0]!, 1, result('delivered'), 2000, 1000)
  expect((await other.states())[0]!.recipients).toMatchObject([{ state: 'delivered', attempts: 1 }])
  await end()
})

it('a platform can claim a delivery again when the database fails just after the first claim', async () => {
  const { open, end } = await opened()
  let failing = false
  const { store } = await open(database => ({
    ...database,
    async query(text, values) {
      if (failing && text.includes('from recipients')) throw new Error('Connection terminated')
      return database.query(text, values)
    },
  }))
  await accept(store, 'one')
  failing = true
  await expect(store.claimDeliveries('mailbox', 1000, 10)).rejects.toThrow('Connection terminated')
  failing = false
  expect((await store.claimDeliveries('mailbox', 1000, 10)).work).toMatchObject([{ mail: 'one' }])
  await end()
})

it('a platform whose clock is ahead deletes no mail early', async () => {
  const engine = await postgresEngine(options(), { clock: undefined })
  const { store } = await engine.opener(mailStorage)()
  await store.accept({
    ...{
      id: 'one',
      receivedAt: Date.now(),
      from: '',
      author: '',
      subject: '',
      spam: false,
      report: false,
      utf8: false,
    },
    ...{ raw: Buffer.from('Subject: x\r\n\r\n'), recipients: [], invocations: [] },
  })
  const day = 24 * 60 * 60_000
  const ahead = jest.spyOn(systemClock, 'now').mockReturnValue(systemClock.now() + 365 * day)
  try {
    while (await store.forget(systemClock.now() - 30 * day)) {}
  } finally {
    ahead.mockRestore()
  }
  expect(await store.states()).toHaveLength(1)
  while (await store.forget(systemClock.now())) {}
  expect(await store.states()).toHaveLength(0)
  await store.close()
  await engine.close()
})
