import { describe, expect, it } from '@jest/globals'
import { compile, problems } from '@signalbox/codec'
import fc from 'fast-check'
import { arbitraryMailEvent } from '../testing/arbitrary.ts'
import { mailEvent, mailEventMutators } from '../testing/index.ts'
import { envelopeFields, flowDirections, MailEvent, mailEventFields } from './event.ts'

const isMailEvent = compile(MailEvent)

/** The fields of the event in the contract, each with valid and invalid values. */
const rows: readonly { row: string; field: string; good: readonly unknown[]; bad: readonly unknown[] }[] = [
  {
    row: 'summaryVersion | String | Version of the message summary (date-shaped string)',
    field: 'summaryVersion',
    good: ['2018-10-10', '2019-07-28'],
    bad: [20190728, '', '1.0', '2019-7-28', '2019-07-28T00:00:00Z', null],
  },
  {
    row: 'envelope | Object | mailFrom (Object with address) and recipients (List of Object, each with address)',
    field: 'envelope',
    good: [
      { mailFrom: { address: 'a@b.example' }, recipients: [] },
      { mailFrom: { address: '' }, recipients: [{ address: 'a@b.example' }, { address: 'a@b.example' }] },
    ],
    bad: [
      null,
      'a@b.example',
      [],
      { mailFrom: { address: 'a@b.example' } },
      { recipients: [] },
      { mailFrom: 'a@b.example', recipients: [] },
      { mailFrom: {}, recipients: [] },
      { mailFrom: { address: 'a@b.example' }, recipients: ['a@b.example'] },
      { mailFrom: { address: 'a@b.example' }, recipients: [{}] },
      { mailFrom: { address: 'a@b.example' }, recipients: { address: 'a@b.example' } },
    ],
  },
  {
    row: 'sender | Object | Holds address (sender email address)',
    field: 'sender',
    good: [{ address: 'a@b.example' }, { address: '', name: 'nobody' }],
    bad: [null, {}, 'a@b.example', { address: 7 }, { address: null }],
  },
  {
    row: 'subject | String | Email subject, truncated to the first 256 characters',
    field: 'subject',
    good: ['', 'Minutes', 'x'.repeat(256), '😀'.repeat(256)],
    bad: [
      null,
      7,
      'x'.repeat(257),
      '😀'.repeat(257),
      'x'.repeat(513),
      `${'😀'.repeat(128)}${'x'.repeat(129)}`,
    ],
  },
  {
    row: 'messageId | String | Message id, used for retrieval through the mail-flow API',
    field: 'messageId',
    good: ['00000000-0000-0000-0000-000000000000', 'x'],
    bad: [null, 7, {}],
  },
  {
    row: 'invocationId | String | Id of this invocation; useful for detecting retries; it is the correlation id',
    field: 'invocationId',
    good: ['00000000000000000000000000000000'],
    bad: [null, 7, []],
  },
  {
    row: 'flowDirection | String | INBOUND or OUTBOUND',
    field: 'flowDirection',
    good: ['INBOUND', 'OUTBOUND'],
    bad: [null, 'inbound', '', 'toString', 7],
  },
  {
    row: 'truncated | Boolean | True if any field was truncated because of size limits',
    field: 'truncated',
    good: [true, false],
    bad: [null, 'false', 0],
  },
]

const facts: readonly { field: string; good: readonly unknown[]; bad: readonly unknown[] }[] = [
  {
    field: 'client',
    good: [null, {}, { address: '192.0.2.1', name: null, helo: 'x', tls: 'TLSv1.3', user: 'ann', port: 1 }],
    bad: ['192.0.2.1', { address: 7 }, { tls: true }],
  },
  {
    field: 'authentication',
    good: [
      null,
      {},
      { spf: { result: 'softfail' }, dkim: [], dmarc: null },
      { dkim: [{ result: 'pass', domain: 'a.example' }], dmarc: { result: 'fail', policy: 'reject' } },
    ],
    bad: ['pass', { spf: 'pass' }, { spf: {} }, { spf: { result: 'PASS' } }, { dkim: { result: 'pass' } }],
  },
]

describe('the mail-flow event', () => {
  it.each(rows)('needs the field $field with a value that the contract allows', ({ field, good, bad }) => {
    for (const value of good) expect(problems(MailEvent, { ...mailEvent(), [field]: value })).toEqual([])
    const { [field as keyof MailEvent]: _, ...without } = mailEvent()
    for (const broken of [without, ...bad.map(value => ({ ...mailEvent(), [field]: value }))]) {
      expect(isMailEvent(broken)).toBe(false)
      const pointers = problems(MailEvent, broken).map(({ pointer }) => pointer)
      expect(pointers.length).toBeGreaterThan(0)
      for (const pointer of pointers) expect(`${pointer}/`).toContain(`/${field}/`)
    }
  })

  it.each(facts)('may have the field $field', ({ field, good, bad }) => {
    for (const value of good) expect(problems(MailEvent, { ...mailEvent(), [field]: value })).toEqual([])
    for (const value of bad) {
      const found = problems(MailEvent, { ...mailEvent(), [field]: value })
      expect(found.map(({ pointer }) => pointer)).toEqual([
        expect.stringMatching(new RegExp(`^/${field}(?:/|$)`)),
      ])
    }
  })

  it('has exactly the fields of the contract', () => {
    expect(Object.keys(mailEventFields)).toEqual([...rows, ...facts].map(({ field }) => field))
    expect(Object.keys(envelopeFields)).toEqual(['mailFrom', 'recipients'])
    expect(Object.keys(flowDirections)).toEqual(['INBOUND', 'OUTBOUND'])
    const { client, authentication, ...own } = mailEventFields
    for (const field of Object.values({ ...own, ...envelopeFields }))
      expect(field).toMatchObject({ required: true })
    for (const field of [client, authentication])
      expect(field).toMatchObject({ required: false, extension: true })
  })

  it('may have any date as its summaryVersion', () => {
    for (const version of ['2018-10-10', '2019-07-28', '2031-01-01'])
      expect(isMailEvent(mailEvent({ summaryVersion: version }))).toBe(true)
  })

  it('may have unknown fields', () => {
    expect(
      isMailEvent({ ...mailEvent(), region: 'here', sender: { address: 'a@b.example', name: 'A' } }),
    ).toBe(true)
  })

  it('is valid when arbitraryMailEvent() generates it', () => {
    fc.assert(fc.property(arbitraryMailEvent(), event => isMailEvent(event)))
  })

  it.each(mailEventMutators)(
    'is refused with $name, and the problem points to that field',
    ({ pointer, mutate }) => {
      const withRecipient = arbitraryMailEvent().filter(event => event.envelope.recipients.length > 0)
      fc.assert(
        fc.property(withRecipient, event => {
          const before = JSON.stringify(event)
          const broken = mutate(event)
          expect(isMailEvent(broken)).toBe(false)
          expect(problems(MailEvent, broken).map(problem => problem.pointer)).toEqual([pointer])
          expect(JSON.stringify(event)).toBe(before)
        }),
        { numRuns: 20 },
      )
    },
  )
})
