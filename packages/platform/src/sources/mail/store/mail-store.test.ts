import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '../../../testing/temporary-folder.ts'
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

it('waits for the disk with every transaction, so that a power cut loses nothing that was stored', () => {
  using folder = temporaryFolder()
  const database = new DatabaseSync(join(folder.path, 'mail.sqlite'))
  openMailStore(database)
  expect(database.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' })
  // 2 is FULL: https://www.sqlite.org/pragma.html#pragma_synchronous
  expect(database.prepare('pragma synchronous').get()).toEqual({ synchronous: 2 })
  database.close()
})
