import { expect, it } from '@jest/globals'
import { messageSize, refusal } from './message-rules.ts'
import { defaultAttributes } from './queue-attributes.ts'
import type { NewMessage } from './queue-store.ts'

const codeOf = (message: NewMessage, queue = 'orders', more: object = {}) =>
  refusal(queue, { ...defaultAttributes, ...more }, message)?.code
const text = (stringValue: string, dataType = 'String') => ({ a: { dataType, stringValue } })
const fifo = { body: 'x', group: 'g', deduplicationId: 'd' }

it.each<[string, NewMessage]>([
  ['any character that XML knows', { body: '\t\n\r ä😀\ufffd' }],
  [
    'attributes of each type',
    {
      body: 'x',
      attributes: { ...text('1e3', 'Number.float'), b: { dataType: 'Binary', binaryValue: 'AA==' } },
    },
  ],
  ['a group, which standard queues pass on', { body: 'x', group: 'g' }],
  ['a delay of 900 s', { body: 'x', delay: 900_000 }],
])('a standard queue accepts %s', (_, message) => {
  expect(codeOf(message)).toBeUndefined()
})

it.each<[string, NewMessage, string]>([
  ['an empty body', { body: '' }, 'MISSING_PARAMETER'],
  ['a control character', { body: 'a\u0007' }, 'INVALID_CONTENTS'],
  ['half of a surrogate pair', { body: 'a\ud83d' }, 'INVALID_CONTENTS'],
  ['the other half', { body: '\ude00a' }, 'INVALID_CONTENTS'],
  ['no code point', { body: '\uffff' }, 'INVALID_CONTENTS'],
  ['a body over 1 MiB', { body: 'x'.repeat(1024 * 1024 + 1) }, 'INVALID_PARAMETER'],
  ['a deduplication id', { body: 'x', deduplicationId: 'd' }, 'INVALID_PARAMETER'],
  ['a negative delay', { body: 'x', delay: -1000 }, 'INVALID_PARAMETER'],
  [
    'an attribute named aws.a',
    { body: 'x', attributes: { 'aws.a': { dataType: 'String', stringValue: '1' } } },
    'INVALID_PARAMETER',
  ],
  [
    'an attribute named a..b',
    { body: 'x', attributes: { 'a..b': { dataType: 'String', stringValue: '1' } } },
    'INVALID_PARAMETER',
  ],
  ['an unknown type', { body: 'x', attributes: text('1', 'Text') }, 'INVALID_PARAMETER'],
  ['an empty value', { body: 'x', attributes: text('') }, 'INVALID_PARAMETER'],
  ['a Number with text', { body: 'x', attributes: text('one', 'Number') }, 'INVALID_PARAMETER'],
  [
    'bytes that are not Base64',
    { body: 'x', attributes: { a: { dataType: 'Binary', binaryValue: '!!!!' } } },
    'INVALID_PARAMETER',
  ],
  ['bytes that are not there', { body: 'x', attributes: { a: { dataType: 'Binary' } } }, 'INVALID_PARAMETER'],
  [
    'two values',
    { body: 'x', attributes: { a: { dataType: 'String', stringValue: '1', binaryValue: 'AA==' } } },
    'INVALID_PARAMETER',
  ],
  ['a control character in an attribute', { body: 'x', attributes: text('\u0001') }, 'INVALID_PARAMETER'],
  [
    'a control character in a label',
    { body: 'x', attributes: text('1', 'String.\u0001') },
    'INVALID_PARAMETER',
  ],
  ['half of a pair in the trace header', { body: 'x', traceHeader: 'a\ud83d' }, 'INVALID_PARAMETER'],
  [
    'eleven attributes',
    {
      body: 'x',
      attributes: Object.fromEntries(
        Array.from({ length: 11 }, (_, at) => [`a${at}`, { dataType: 'String', stringValue: '1' }]),
      ),
    },
    'INVALID_PARAMETER',
  ],
])('a standard queue refuses %s', (_, message, code) => {
  expect(codeOf(message)).toBe(code)
})

it.each<[string, NewMessage, object, string | undefined]>([
  ['a group and a deduplication id', fifo, {}, undefined],
  ['no group', { body: 'x', deduplicationId: 'd' }, {}, 'MISSING_PARAMETER'],
  ['no deduplication id', { body: 'x', group: 'g' }, {}, 'INVALID_PARAMETER'],
  [
    'none, deduplicating by content',
    { body: 'x', group: 'g' },
    { contentBasedDeduplication: true },
    undefined,
  ],
  ['a delay of its own', { ...fifo, delay: 1000 }, {}, 'INVALID_PARAMETER'],
  ['a group with a space', { ...fifo, group: 'a b' }, {}, 'INVALID_PARAMETER'],
  [
    'a deduplication id of 129 characters',
    { ...fifo, deduplicationId: 'd'.repeat(129) },
    {},
    'INVALID_PARAMETER',
  ],
])('a FIFO queue checks %s', (_, message, more, code) => {
  expect(codeOf(message, 'orders.fifo', more)).toBe(code)
})

it('the size of a message counts body, names, types and values', () => {
  const attributes = {
    ä: { dataType: 'String', stringValue: 'öö' },
    b: { dataType: 'Binary', binaryValue: 'AAAA' },
  }
  expect(messageSize({ body: 'äb', attributes })).toBe(3 + (2 + 6 + 4) + (1 + 6 + 3))
})
