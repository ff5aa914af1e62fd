import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { freeSpaceOf } from '../../../platform-runtime/src/storage/free-space.ts'
import { temporaryFolder } from '../../../platform-runtime/src/testing/temporary-folder.ts'
import { openMailStore } from './mail-store.ts'

const rule = {
  direction: 'INBOUND',
  functionName: 'sort',
  mode: 'sync',
  timeout: 0,
  fallback: 'DEFAULT',
} as const

it('delivers at once to who is decided on while an attempt to deliver to others is made', async () => {
  const store = openMailStore(new DatabaseSync(':memory:'))
  await store.accept({
    ...{ id: 'mail', receivedAt: 1, from: '', author: '', subject: '', spam: false, report: false },
    raw: Buffer.from('Hi!'),
    recipients: [
      { address: 'ann@office.example', direction: 'INBOUND', state: 'undecided', why: '' },
      { address: 'bob@far.example', direction: 'OUTBOUND', state: 'delivering', way: 'inbox', why: '' },
    ],
    invocations: [{ id: 'invocation', rule }],
  })
  const attempt = store.delivery('mail', 'mailbox')
  expect(attempt.recipients.map(({ address }) => address)).toEqual(['bob@far.example'])
  const invocation = store.invocation('invocation')
  const [ann] = invocation.recipients
  const delivering = { state: 'delivering', way: 'inbox', why: '' } as const
  await store.conclude(invocation, { fates: [{ recipient: ann!.id, ...delivering }], report: undefined }, 5)
  const [bob] = attempt.recipients
  await store.delivered(
    attempt,
    { fates: [{ recipient: bob!.id, ...delivering }], report: undefined },
    1000,
    6,
  )
  expect(store.deliveries.due('mailbox', 6, 10)).toEqual(['mail'])
  const next = store.delivery('mail', 'mailbox')
  expect(next.recipients).toHaveLength(2)
  const later = next.recipients.map(({ id }) => ({ recipient: id, ...delivering }))
  await store.delivered(next, { fates: later, report: undefined }, 1000, 7)
  expect(store.deliveries.due('mailbox', 999, 10)).toEqual([])
  expect(store.deliveries.nextAfter('mailbox', 999)).toBe(1000)
})

it('leaves nothing of a mail that is forgotten', async () => {
  const database = new DatabaseSync(':memory:')
  const store = openMailStore(database)
  const recipient = {
    address: 'ann@office.example',
    direction: 'INBOUND',
    state: 'undecided',
    why: '',
  } as const
  for (const [id, receivedAt] of [
    ['old', 1],
    ['new', 2],
  ] as const)
    await store.accept({
      ...{ id, receivedAt, from: '', author: '', subject: '', spam: false, report: false },
      raw: Buffer.from('Hi!'),
      recipients: [recipient],
      invocations: [{ id: `invocation of ${id}`, rule }],
    })
  store.forget(1)
  expect(store.raw('old')).toBeDefined()
  const invocation = store.invocation('invocation of old')
  const [ann] = invocation.recipients
  const dropped = { recipient: ann!.id, state: 'dropped', why: '' } as const
  await store.conclude(invocation, { fates: [dropped], report: undefined }, 3)
  store.forget(1)
  expect(store.raw('old')).toBeUndefined()
  expect(store.raw('new')).toEqual(Buffer.from('Hi!'))
  for (const table of ['mails', 'invocations', 'recipients'])
    expect(database.prepare(`select count(*) as rows from ${table}`).get()).toEqual({ rows: 1 })
})

it.each([
  ['a hundred at a time', 250, 3, [100, 200, 250]],
  ['a hundred at a time, and then finds none', 200, 3, [100, 200, 200]],
  ['one at a time, of large ones', 3, 3_000_000, [1, 2, 3]],
])(
  'forgets mails %s, so that nothing else has to wait for all of them',
  async (_, count, size, forgotten) => {
    const database = new DatabaseSync(':memory:')
    const store = openMailStore(database)
    for (let number = 0; number < count; number++)
      await store.accept({
        ...{
          id: `mail ${number}`,
          receivedAt: 1,
          from: '',
          author: '',
          subject: '',
          spam: false,
          report: false,
        },
        ...{ raw: Buffer.alloc(size), recipients: [], invocations: [] },
      })
    const left = database.prepare('select count(*) as mails from mails')
    const rounds: number[] = []
    let more = true
    while (more) {
      more = store.forget(1)
      rounds.push(count - Number(left.get()!.mails))
    }
    expect(rounds).toEqual(forgotten)
  },
)

it('takes mail again, and has room for files, when the mails that filled the disk are forgotten', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'mail.sqlite')
  const disk = 20 * 1024 * 1024
  const used = (name: string) => statSync(name, { throwIfNoEntry: false })?.size ?? 0
  const free = () => disk - used(path) - used(`${path}-wal`)
  const database = new DatabaseSync(path)
  const store = openMailStore(database, each => freeSpaceOf(each, () => ({ free: free(), total: disk })))
  const raw = Buffer.alloc(100_000)
  let accepted = 0
  const fill = async () => {
    for (const before = accepted; ; accepted++)
      try {
        await store.accept({
          ...{ id: `${accepted}`, receivedAt: 1, from: '', author: '', subject: '', spam: false },
          ...{ report: false, raw, recipients: [], invocations: [] },
        })
      } catch (error) {
        expect(error).toMatchObject({ code: 'STORAGE_FULL' })
        return accepted - before
      }
  }
  const first = await fill()
  expect(first).toBeGreaterThan(50)
  expect(store.hasRoomForFile(5_000_000)).toBe(false)
  while (store.forget(1)) {}
  database.exec('pragma wal_checkpoint(truncate)')
  expect(store.hasRoomForFile(5_000_000)).toBe(true)
  expect(await fill()).toBeGreaterThan(first / 2)
  database.close()
})

it('waits for the disk with every transaction, so that a power cut loses nothing that was stored', () => {
  using folder = temporaryFolder()
  const database = new DatabaseSync(join(folder.path, 'mail.sqlite'))
  openMailStore(database)
  expect(database.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' })
  // 2 is FULL: https://www.sqlite.org/pragma.html#pragma_synchronous
  expect(database.prepare('pragma synchronous').get()).toEqual({ synchronous: 2 })
  database.close()
})
