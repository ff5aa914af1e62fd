import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { withCrlf, withLineFeeds } from './mail-file.ts'

/** Mails with many line ends of every kind, some of them larger than a piece. */
const mails = fc
  .tuple(
    fc.array(fc.constantFrom('\r\n', '\r', '\n', 'a', '.', '\r\r\n', 'é'), { maxLength: 40 }),
    fc.constantFrom(1, 1, 7000),
  )
  .map(([parts, times]) => Buffer.from(parts.join('').repeat(times)))

describe('withLineFeeds', () => {
  it('turns each CRLF into a line feed and leaves all other bytes unchanged', () => {
    fc.assert(
      fc.property(mails, mail => {
        const file = Buffer.concat([...withLineFeeds(mail)]).toString('latin1')
        return file === mail.toString('latin1').replaceAll('\r\n', '\n')
      }),
    )
  })

  it.each([262_143, 262_144, 262_145])('recognizes a CRLF after %d bytes, at the end of a piece', length => {
    const file = Buffer.concat([...withLineFeeds(Buffer.from(`${'a'.repeat(length - 1)}\r\nb`))])
    expect(file.toString()).toBe(`${'a'.repeat(length - 1)}\nb`)
  })

  it('converts a large mail in small pieces, so that it does not block other clients', () => {
    const pieces = [...withLineFeeds(Buffer.from('\r\n'.repeat(2_000_000)))]
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(256 * 1024)
    expect(Buffer.concat(pieces)).toHaveLength(2_000_000)
  })
})

describe('withCrlf', () => {
  it('adds a carriage return to each bare line feed and leaves all other bytes unchanged', () => {
    fc.assert(
      fc.property(mails, mail => {
        return withCrlf(mail).toString('latin1') === mail.toString('latin1').replace(/\r?\n/g, '\r\n')
      }),
    )
  })
})
