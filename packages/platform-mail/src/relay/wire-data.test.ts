import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { dataDecoder } from '../api/data/data-decoder.ts'
import { wireData } from './wire-data.ts'

const sent = (raw: Buffer) => Buffer.concat([...wireData(raw)]).toString('latin1')

it.each([
  ['', '.\r\n'],
  ['Hi', 'Hi\r\n.\r\n'],
  ['.\r\n..\r\n', '..\r\n...\r\n.\r\n'],
  ['a\n.\rb\r\n', 'a\r\n..\r\nb\r\n.\r\n'],
  ['a\n\r.b', 'a\r\n\r\n..b\r\n.\r\n'],
])('the content %j is sent as %j', (content, expected) => {
  expect(sent(Buffer.from(content))).toBe(expected)
})

it.each([64 * 1024 - 2, 64 * 1024 - 1, 64 * 1024])('a line end after %d bytes is not sent twice', length => {
  const content = `${'x'.repeat(length)}\r\n.y\r\n`
  expect(sent(Buffer.from(content))).toBe(`${'x'.repeat(length)}\r\n..y\r\n.\r\n`)
})

it('a server reads any content unchanged, except that line ends become CRLF', () => {
  const content = fc.array(fc.constantFrom('\r\n', '\r', '\n', '.', 'x', 'x'.repeat(65_535)), {
    maxLength: 20,
  })
  fc.assert(
    fc.property(content, pieces => {
      const text = pieces.join('')
      const lines = text.replace(/\r\n?|\n/g, '\r\n')
      const whole = lines === '' || lines.endsWith('\n') ? lines : `${lines}\r\n`
      const decoded = dataDecoder().feed(Buffer.concat([...wireData(Buffer.from(text))]))
      expect(String(decoded.content)).toBe(whole)
      expect(decoded.rest).toHaveLength(0)
    }),
  )
})
