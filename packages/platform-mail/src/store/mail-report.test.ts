import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { mailStates } from './mail-report.ts'
import { openMailStore } from './mail-store.ts'

it('knows of no mail where no box has ever kept any', () => {
  expect(mailStates(new DatabaseSync(':memory:'))).toEqual([])
})

it('tells the newest mail first, with its recipients in their order', async () => {
  const database = new DatabaseSync(':memory:')
  const store = openMailStore(database)
  const recipient = (address: string) =>
    ({ address, direction: 'INBOUND', state: 'delivering', way: 'inbox', why: 'no rule is for it' }) as const
  for (const [id, receivedAt] of [
    ['b', 2],
    ['a', 1],
    ['c', 2],
  ] as const)
    await store.accept({
      ...{ id, receivedAt, from: 'ann@far.example', author: '', subject: id, spam: false, report: false },
      raw: Buffer.from('Hi!'),
      recipients: [recipient('z@office.example'), recipient('b@office.example')],
      invocations: [],
    })
  const states = mailStates(database)
  expect(states.map(({ id }) => id)).toEqual(['c', 'b', 'a'])
  expect(states[0]).toEqual({
    id: 'c',
    receivedAt: 2,
    from: 'ann@far.example',
    subject: 'c',
    size: 3,
    report: false,
    held: false,
    recipients: ['z', 'b'].map(local => ({
      address: `${local}@office.example`,
      direction: 'INBOUND',
      state: 'delivering',
      why: 'no rule is for it',
      attempts: 0,
      nextAt: 2,
    })),
  })
})
