import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { freeSpaceOf } from '@signalbox/platform-runtime/storage'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { undecidedMail } from '../../testing/mail-store/new-mail.ts'
import { mailStoreSuite } from '../../testing/mail-store-suite.ts'
import { localMailStore } from './local-mail-store.ts'
import { mailStates } from './states.ts'

mailStoreSuite('SQLite', async () => {
  const folder = temporaryFolder()
  const open = () => localMailStore(new DatabaseSync(join(folder.path, 'mail.sqlite')))
  const store = open()
  return {
    store,
    openAgain: async () => open(),
    async end() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
})

const mail = (id: string, raw: Buffer) => ({
  ...{ id, receivedAt: 1, from: '', author: '', subject: '', spam: false, report: false, utf8: false },
  ...{ raw, recipients: [], invocations: [] },
})

it('a mail store refuses a database with a newer layout', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'mail.sqlite')
  const database = new DatabaseSync(path)
  database.exec('pragma user_version = 7')
  const text = `The mails in ${path} have layout 7, and this version of Signalbox knows layouts up to 6`
  expect(() => localMailStore(database)).toThrow(text)
  database.close()
})

it('a mail store upgrades a database whose mails have no facts, and whose decisions have no content', async () => {
  using folder = temporaryFolder()
  const open = () => new DatabaseSync(join(folder.path, 'mail.sqlite'))
  const database = open()
  await localMailStore(database).accept(undecidedMail('old'))
  database.exec(
    'alter table mails drop column facts; alter table early_decisions drop column raw; pragma user_version = 4',
  )
  database.close()
  const store = localMailStore(open())
  const facts = { client: { address: '192.0.2.1' } }
  await store.accept(undecidedMail('new', { facts }))
  const { work } = await store.claimInvocations('sort', 2000, 9)
  expect(work.map(({ of }) => [of.id, of.facts])).toEqual([
    ['old', undefined],
    ['new', facts],
  ])
  const raw = Buffer.from('Subject: changed\r\n\r\n')
  expect(await store.rememberEarly({ key: 'a', content: 'b', decision: 'c', raw }, 2000)).toMatchObject({
    raw,
  })
  await store.close()
})

it('a mail store upgrades a database of the first layout, with its mails', async () => {
  const database = new DatabaseSync(':memory:')
  database.exec(`create table mails (id text primary key, received_at integer not null, sender text not null,
    author text not null, subject text not null, spam integer not null, report integer not null,
    size integer not null, raw blob not null) strict;
    create table recipients (id integer primary key, mail text not null, address text not null,
    direction text not null, state text not null, destination text, why text not null,
    attempts integer not null default 0) strict;
    create table invocations (id text primary key, mail text not null, direction text not null,
    function text not null, mode text not null, timeout real not null, fallback text not null,
    attempts integer not null default 0, first_failed_at integer, why text not null default '',
    next text not null default 'attempt', next_at integer) strict;
    create table held (mail text primary key) strict; create table deliveries (mail text, carrier text,
    since integer, attempts integer, next_at integer);
    insert into mails values ('old', 1, '', '', 'Hello', 0, 0, 2, x'4869');
    insert into recipients (mail, address, direction, state, why) values ('old', 'ann@a', 'INBOUND', 'undecided', '');
    insert into invocations (id, mail, direction, function, mode, timeout, fallback, next_at, why)
    values ('one', 'old', 'INBOUND', 'sort', 'sync', 0, 'DROP', 1, 'broken');
    insert into recipients (mail, address, direction, state, destination, why)
    values ('old', 'bob@a', 'OUTBOUND', 'delivering', 'inbox', '');
    insert into deliveries values ('old', 'mailbox', 1, 2, 7); pragma user_version = 1`)
  const waiting = {
    recipients: [
      { address: 'ann@a', why: 'broken', nextAt: 1 },
      { address: 'bob@a', nextAt: 7 },
    ],
  }
  // A command can read the states before the platform upgrades the database.
  expect(mailStates(database)).toMatchObject([waiting])
  const store = localMailStore(database)
  await store.accept({ ...mail('new', Buffer.from('Hi!')), utf8: true })
  expect((await store.states()).map(({ id }) => id)).toEqual(['new', 'old'])
  expect((await store.states())[1]).toMatchObject(waiting)
  expect(await store.raw('old')).toEqual(Buffer.from('Hi'))
  expect((await store.claimInvocations('sort', 1, 9)).work).toMatchObject([
    { id: 'one', rule: { functionName: 'sort', timeout: 0 }, recipients: [{ address: 'ann@a' }] },
  ])
  expect(await store.claimDeliveries('mailbox', 6, 9)).toEqual({ work: [], nextAt: 7 })
  expect((await store.claimDeliveries('mailbox', 7, 9)).work).toMatchObject([
    { mail: 'old', since: 1, attempts: 2, recipients: [{ address: 'bob@a' }] },
  ])
  await store.close()
})

it('a mail store deletes all rows of a deleted mail', async () => {
  const database = new DatabaseSync(':memory:')
  const store = localMailStore(database)
  const dropped = { address: 'ann@office.example', direction: 'INBOUND', state: 'dropped', why: '' } as const
  for (const [id, receivedAt] of [
    ['old', 1],
    ['new', 2],
  ] as const)
    await store.accept({ ...mail(id, Buffer.from('Hi!')), receivedAt, recipients: [dropped] })
  await store.forget(1)
  for (const table of ['mails', 'recipients'])
    expect(database.prepare(`select count(*) as rows from ${table}`).get()).toEqual({ rows: 1 })
})

it.each([
  ['250 small mails in steps of a hundred', 250, 3, [100, 200, 250]],
  ['200 small mails in steps of a hundred', 200, 3, [100, 200, 200]],
  ['large mails one at a time', 3, 3_000_000, [1, 2, 3]],
])('a mail store deletes %s, so that no transaction is long', async (_, count, size, forgotten) => {
  const database = new DatabaseSync(':memory:')
  const store = localMailStore(database)
  for (let number = 0; number < count; number++) await store.accept(mail(`${number}`, Buffer.alloc(size)))
  const left = database.prepare('select count(*) as mails from mails')
  const rounds: number[] = []
  let hasMore = true
  while (hasMore) {
    hasMore = await store.forget(1)
    rounds.push(count - Number(left.get()!.mails))
  }
  expect(rounds).toEqual(forgotten)
})

it('a full disk has space for mails and other files again after old mails are deleted', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'mail.sqlite')
  const disk = 20 * 1024 * 1024
  const used = (name: string) => statSync(name, { throwIfNoEntry: false })?.size ?? 0
  const free = () => disk - used(path) - used(`${path}-wal`)
  const database = new DatabaseSync(path)
  const store = localMailStore(database, each => freeSpaceOf(each, () => ({ free: free(), total: disk })))
  const raw = Buffer.alloc(100_000)
  let accepted = 0
  const fill = async () => {
    for (const before = accepted; ; accepted++)
      try {
        await store.accept(mail(`${accepted}`, raw))
      } catch (error) {
        expect(error).toMatchObject({ code: 'STORAGE_FULL' })
        return accepted - before
      }
  }
  const first = await fill()
  expect(first).toBeGreaterThan(50)
  expect(store.hasSpaceForFile(5_000_000)).toBe(false)
  while (await store.forget(1)) {}
  database.exec('pragma wal_checkpoint(truncate)')
  expect(store.hasSpaceForFile(5_000_000)).toBe(true)
  expect(await fill()).toBeGreaterThan(first / 2)
  await store.close()
})

it('a content that a function changes does not use the space that stays for other work', async () => {
  using folder = temporaryFolder()
  const database = new DatabaseSync(join(folder.path, 'mail.sqlite'))
  const total = 1024 * 1024 * 1024
  let free = total
  const store = localMailStore(database, each => freeSpaceOf(each, () => ({ free, total })))
  for (const id of ['one', 'two']) await store.accept(undecidedMail(id))
  const { work } = await store.claimInvocations('sort', 1000, 2)
  const raw = Buffer.alloc(100_000)
  const changed = { splitId: 'three', author: '', subject: '', spam: false, raw }
  const conclude = (at: number, more: object) =>
    store.concludeInvocation(work[at]!, { dispositions: [], added: [], report: undefined, ...more }, 1000)
  free = 16 * 1024 * 1024
  await conclude(0, {})
  await expect(conclude(1, { changed })).rejects.toMatchObject({ code: 'STORAGE_FULL' })
  expect((await store.raw('two'))!.equals(raw)).toBe(false)
  free = total
  await conclude(1, { changed })
  expect((await store.raw('two'))!.equals(raw)).toBe(true)
  await store.close()
})

it('a mail store acknowledges a mail only when the mail is on the disk, so that no mail is lost in a power cut', async () => {
  let synced = () => {}
  const disk = new Promise<void>(resolve => {
    synced = resolve
  })
  const store = localMailStore(new DatabaseSync(':memory:'), undefined, () => () => disk)
  let isAcknowledged = false
  const accepted = store.accept(mail('one', Buffer.from('Hi!'))).then(() => {
    isAcknowledged = true
  })
  while ((await store.raw('one')) === undefined) await setImmediate()
  await setImmediate()
  expect(isAcknowledged).toBe(false)
  synced()
  await accepted
  await store.close()
})

it('a delivery counts as repeated if an earlier process might have attempted it', async () => {
  using folder = temporaryFolder()
  const open = () => localMailStore(new DatabaseSync(join(folder.path, 'mail.sqlite')))
  const bob = {
    address: 'bob@office.example',
    direction: 'INBOUND',
    state: 'delivering',
    destination: 'inbox',
    why: '',
  } as const
  const first = open()
  await first.accept({ ...mail('one', Buffer.from('Hi!')), recipients: [bob] })
  await first.close()
  const second = open()
  await second.accept({ ...mail('two', Buffer.from('Hi!')), recipients: [bob] })
  const { work } = await second.claimDeliveries('mailbox', 1, 10)
  expect(work).toMatchObject([
    { mail: 'one', repeated: true },
    { mail: 'two', repeated: false },
  ])
  await second.close()
})
