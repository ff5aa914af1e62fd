import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { quotedPrintable } from './quoted-printable.ts'

/** RFC 2045, 6.7, read backwards. */
function decoded(text: string): string {
  return text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

const bytes = fc
  .array(
    fc.oneof(fc.constantFrom('\r\n', '\n', '\r', ' ', '\t', '=', '.', '=0', 'a'.repeat(70)), fc.uint8Array()),
  )
  .map(pieces => Buffer.concat(pieces.map(piece => Buffer.from(piece as string))))

it('RFC 2045, 6.7: any bytes, with CRLF at the ends of lines, in short lines of ASCII without space at their ends', () => {
  fc.assert(
    fc.property(bytes, of => {
      const text = quotedPrintable(of).toString('latin1')
      expect(decoded(text)).toBe(of.toString('latin1').replace(/\r?\n/g, '\r\n'))
      for (const line of text.split('\r\n')) expect(line).toMatch(/^(?:[\t -~]{0,75}[!-~])?$/)
    }),
    { numRuns: 300 },
  )
})
