import { expect, it } from '@jest/globals'
import { columns, table, truncated } from './format.ts'

it('a printed column is as wide as its widest cell', () => {
  const rows = Array.from({ length: 200_000 }, (_, row) => [String(row), 'x'])
  const lines = columns(rows).split('\n')
  expect([lines[0], lines.at(-1)]).toEqual(['0       x', '199999  x'])
})

it('the heads of a table are bold on a terminal', () => {
  const marked = (how: string, text: string) => `<${how}>${text}</>`
  expect(table(['name', 'id'], [['Ann', '7']], marked)).toBe('<bold>name  id</>\nAnn   7')
  expect(table(['name', 'id'], [], (_how, text) => text)).toBe('name  id')
})

it('a truncated string stays within its limit, and never ends in the middle of a character', () => {
  expect(truncated('Hello', 5)).toBe('Hello')
  expect(truncated('Hello!', 5)).toBe('Hell…')
  expect(truncated('Hi 👋 Ann', 5)).toBe('Hi …')
})
