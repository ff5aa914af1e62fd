import { expect, it } from '@jest/globals'
import { messageSize, refusal } from './message-rules.ts'
import { defaultAttributes } from './queue-attributes.ts'
import type { NewMessage } from './queue-store.ts'

const codeOf = (message: NewMessage, queue = 'orders', more: object = {}) =>
  refusal(queue, { ...defaultAttributes, ...more }, message)?.code
const text = (stringValue: string, dataType = 'String') => ({ a: { dataType, stringValue } })
const fifo = { body: 'x', group: 'g', deduplicationId: 'd' }

it.each<[string, NewMessage]>([
  ['any character that XML allows', { body: '\t\n\r ä😀\ufffd' }],
  [
    'attributes of each type',
    {
      body: 'x',
      attributes: { ...text('1e3', 'Number.float'), b: { dataType: 'Binary', binaryValue: 'AA==' } },
    },
  ],
  ['a message group, although it has no groups', { body: 'x', group: 'g' }],
  ['a delay of 900 s', { body: 'x', delay: 900_000 }],
])('a standard queue accepts %s', (_, message) => {
  expect(codeOf(message)).toBeUndefined()
})

it.each<[string, NewMessage, string]>([
  ['an empty body', { body: '' }, 'MISSING_PARAMETER'],
  ['a control character in the body', { body: 'a\u0007' }, 'INVALID_CONTENTS'],
  ['a lone high surrogate', { body: 'a\ud83d' }, 'INVALID_CONTENTS'],
  ['a lone low surrogate', { body: '\ude00a' }, 'INVALID_CONTENTS'],
  ['a Unicode noncharacter', { body: '\uffff' }, 'INVALID_CONTENTS'],
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
  [
    'an attribute with letters outside of A to Z',
    { body: 'x', attributes: { größe: { dataType: 'String', stringValue: '1' } } },
    'INVALID_PARAMETER',
  ],
  ['an attribute of an unknown type', { body: 'x', attributes: text('1', 'Text') }, 'INVALID_PARAMETER'],
  ['an attribute with an empty value', { body: 'x', attributes: text('') }, 'INVALID_PARAMETER'],
  [
    'an attribute of type Number with text',
    { body: 'x', attributes: text('one', 'Number') },
    'INVALID_PARAMETER',
  ],
  [
    'a binary attribute that is not Base64',
    { body: 'x', attributes: { a: { dataType: 'Binary', binaryValue: '!!!!' } } },
    'INVALID_PARAMETER',
  ],
  [
    'a binary attribute without a value',
    { body: 'x', attributes: { a: { dataType: 'Binary' } } },
    'INVALID_PARAMETER',
  ],
  [
    'an attribute with two values',
    { body: 'x', attributes: { a: { dataType: 'String', stringValue: '1', binaryValue: 'AA==' } } },
    'INVALID_PARAMETER',
  ],
  ['a control character in an attribute', { body: 'x', attributes: text('\u0001') }, 'INVALID_PARAMETER'],
  [
    'a control character in an attribute type',
    { body: 'x', attributes: text('1', 'String.\u0001') },
    'INVALID_PARAMETER',
  ],
  ['a lone surrogate in the trace header', { body: 'x', traceHeader: 'a\ud83d' }, 'INVALID_PARAMETER'],
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
  ['accepts a group and a deduplication id', fifo, {}, undefined],
  ['refuses a message without a group', { body: 'x', deduplicationId: 'd' }, {}, 'MISSING_PARAMETER'],
  ['refuses a message without a deduplication id', { body: 'x', group: 'g' }, {}, 'INVALID_PARAMETER'],
  [
    'needs no deduplication id with content-based deduplication',
    { body: 'x', group: 'g' },
    { contentBasedDeduplication: true },
    undefined,
  ],
  ['refuses a delay for a single message', { ...fifo, delay: 1000 }, {}, 'INVALID_PARAMETER'],
  ['refuses a group with a space', { ...fifo, group: 'a b' }, {}, 'INVALID_PARAMETER'],
  [
    'refuses a deduplication id of 129 characters',
    { ...fifo, deduplicationId: 'd'.repeat(129) },
    {},
    'INVALID_PARAMETER',
  ],
])('a FIFO queue %s', (_, message, more, code) => {
  expect(codeOf(message, 'orders.fifo', more)).toBe(code)
})

it('the size of a message includes its body and the names, types and values of its attributes', () => {
  const attributes = {
    ä: { dataType: 'String', stringValue: 'öö' },
    b: { dataType: 'Binary', binaryValue: 'AAAA' },
  }
  expect(messageSize({ body: 'äb', attributes })).toBe(3 + (2 + 6 + 4) + (1 + 6 + 3))
})
