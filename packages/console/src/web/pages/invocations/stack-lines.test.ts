import { expect, it } from '@jest/globals'
import { firstOwnFrame, stackLinesOf } from './stack-lines.ts'

const library = '    at parse (/shop/node_modules/zod/index.js:1:2)'
const ofNode = '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)'
const own = '    at ship (file:///shop/ship-orders.ts:14:11)'

it('the lines of a stack are grouped by whose code they are', () => {
  const text = ['Error: no stock', 'of tea', library, '    at Array.map (<anonymous>)', own, ofNode].join(
    '\n',
  )
  expect(stackLinesOf(text).map(({ kind, lines }) => [kind, lines.length])).toEqual([
    ['text', 2],
    ['library', 2],
    ['own', 1],
    ['library', 1],
  ])
  expect(stackLinesOf('look at this')).toEqual([{ kind: 'text', lines: ['look at this'] }])
})

it.each([
  ['a stack', `Error: no\n${library}\n${own}`, own.trim()],
  ['a stack in JSON', JSON.stringify({ level: 'ERROR', stack: `Error: no\n${ofNode}\n${own}` }), own.trim()],
  [
    'a stack on Windows',
    'Error\n    at a (C:\\shop\\node_modules\\z.js:1:1)\n    at C:\\shop\\b.ts:2:3',
    'at C:\\shop\\b.ts:2:3',
  ],
  ['a stack of libraries', `Error: no\n${library}`, undefined],
  ['a line', 'at noon', undefined],
])('the first own frame of %s is found', (_case, text, expected) => {
  expect(firstOwnFrame([{ text: 'shipping' }, { text }])).toBe(expected)
})
