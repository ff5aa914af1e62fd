import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { boxSoak } from './soak.ts'
import { type Fault, verifyMessages } from './verify-messages.ts'

it('platforms on one database lose no data and keep messages in order, even if they and the server are killed', async () => {
  const seed = fc.readConfigureGlobal().seed!
  const sizes = { messages: 300, groups: 20, mails: 24, users: 4, kills: 3, cuts: 6, restarts: 1 }
  const { violations, acknowledged } = await boxSoak({ ...sizes, seed })
  expect({ seed, violations }).toEqual({ seed, violations: [] })
  // Not all sends are acknowledged, because the soak does not repeat a send to a standard queue after a fault.
  expect(acknowledged.messages).toBeGreaterThan(300)
  expect(acknowledged.mails).toBe(24)
})

const line = (time: number, box: number, id: string, receive: number, body: string) =>
  `${time} ${box} ${id} ${receive} ${body}\n`
const first = line(10_000, 0, 'a', 1, 'standard:1')
const again = line(20_000, 1, 'a', 2, 'standard:1')

it.each<[string, string, readonly string[], readonly Fault[], readonly string[]]>([
  ['a lost message', first, ['a', 'b'], [], ['b was acknowledged and never handled']],
  [
    'a repeated delivery if the box had no fault',
    first + again,
    ['a'],
    [{ time: 15_000, box: 1 }],
    ['standard:1 was handled again, and nothing had happened to box 0'],
  ],
  ['no violation if the box had a fault', first + again, ['a'], [{ time: 15_000, box: 0 }], []],
  ['no violation if the server was away', first + again, ['a'], [{ time: 9500, box: undefined }], []],
  [
    'two deliveries with the same receive count',
    first + line(10_001, 1, 'a', 1, 'standard:1'),
    ['a'],
    [{ time: 10_000, box: 0 }],
    ['standard:1 was handled twice after receive 1'],
  ],
  [
    'a message that was stored twice',
    line(1, 0, 'a', 1, 'ordered:g:0') + line(2, 0, 'b', 1, 'ordered:g:0'),
    [],
    [],
    ['ordered:g:0 was stored twice'],
  ],
  [
    'a message group out of order',
    line(1, 0, 'a', 1, 'ordered:g:0') + line(2, 0, 'c', 1, 'ordered:g:2'),
    [],
    [],
    ['ordered:g:2 was handled right after number 0'],
  ],
])('verifyMessages() finds %s', (_, written, acknowledged, faults, violations) => {
  expect(verifyMessages(written, new Set(acknowledged), faults).violations).toEqual(violations)
})
