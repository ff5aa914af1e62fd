import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { headerBlock, headerName, headers, hops } from './header-lines.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const block = (text: string) => headerBlock(bytes(text)).toString('latin1')

it('the head ends before the first empty line, with any kind of line end', () => {
  expect(block('A: b\r\nC: d\r\n\r\nE: f')).toBe('A: b\r\nC: d\r\n')
  expect(block('A: b\n\nE: f')).toBe('A: b\n')
  expect(block('A: b\r\n\nE: f')).toBe('A: b\r\n')
  expect(block('\r\nA: b')).toBe('')
  expect(block('\nA: b')).toBe('')
  expect(block('A: b')).toBe('A: b')
  expect(block('A\nB: c')).toBe('A\nB: c')
  expect(block('')).toBe('')
  expect(block('A: b\r\n \r\nC: d\r\n')).toBe('A: b\r\n \r\nC: d\r\n')
  expect(block('A: b\r\r\nC: d\r\n')).toBe('A: b\r\r\nC: d\r\n')
})

it('a line that starts with white space continues a header', () => {
  expect([...headers(bytes('A: b\r\n c\r\n\td\nE: f\r\nG'))].map(String)).toEqual([
    'A: b\r\n c\r\n\td\n',
    'E: f\r\n',
    'G',
  ])
  expect([...headers(bytes(' x\r\nA: b'))].map(String)).toEqual([' x\r\n', 'A: b'])
})

it('header names are returned in lower case, even if a space precedes the colon', () => {
  expect(headerName(bytes('Subject : x'))).toBe('subject')
  expect(headerName(bytes('no colon'))).toBe('')
  expect(headerName(bytes(`${'x'.repeat(100)}: y`))).toBe('')
})

it('each Received header counts as a hop, whether in upper or lower case', () => {
  expect(hops(bytes('Received: a\r\nRECEIVED : b\r\n received: c\r\nX-Received: d\r\n'))).toBe(2)
})

it('the header lines of any mail add up to its whole head', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', ':', ' ', '\r', '\n', '\t', '\0') }), text => {
      const head = headerBlock(bytes(text))
      expect(Buffer.concat([...headers(head)])).toEqual(head)
    }),
    { numRuns: 500 },
  )
})

it('only the first megabyte of a head is read', () => {
  const raw = bytes(`Received: a\r\n${'X: y\r\n'.repeat(200_000)}Received: b\r\n`)
  expect(headerBlock(raw)).toHaveLength(1024 * 1024)
  expect(hops(headerBlock(raw))).toBe(1)
})
