import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { quotedPrintable } from './quoted-printable.ts'

/** Decodes quoted-printable text (RFC 2045, 6.7). */
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

it('any bytes are encoded in short ASCII lines without trailing white space (RFC 2045, 6.7)', () => {
  fc.assert(
    fc.property(bytes, of => {
      const text = quotedPrintable(of).toString('latin1')
      expect(decoded(text)).toBe(of.toString('latin1').replace(/\r?\n/g, '\r\n'))
      for (const line of text.split('\r\n')) expect(line).toMatch(/^(?:[\t -~]{0,75}[!-~])?$/)
    }),
    { numRuns: 300 },
  )
})
