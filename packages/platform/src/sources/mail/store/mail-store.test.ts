import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { openMailStore } from './mail-store.ts'

const rule = {
  direction: 'INBOUND',
  functionName: 'sort',
  mode: 'sync',
  timeout: 0,
  fallback: 'DEFAULT',
} as const

it('delivers at once to who is decided on while an attempt to deliver to others is made', () => {
  const store = openMailStore(new DatabaseSync(':memory:'))
  store.accept({
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
  store.conclude(invocation, { fates: [{ recipient: ann!.id, ...delivering }], report: undefined }, 5)
  const [bob] = attempt.recipients
  store.delivered(attempt, { fates: [{ recipient: bob!.id, ...delivering }], report: undefined }, 1000, 6)
  expect(store.deliveries.due('mailbox', 6, 10)).toEqual(['mail'])
  const next = store.delivery('mail', 'mailbox')
  expect(next.recipients).toHaveLength(2)
  const later = next.recipients.map(({ id }) => ({ recipient: id, ...delivering }))
  store.delivered(next, { fates: later, report: undefined }, 1000, 7)
  expect(store.deliveries.due('mailbox', 999, 10)).toEqual([])
  expect(store.deliveries.nextAfter('mailbox', 999)).toBe(1000)
})
