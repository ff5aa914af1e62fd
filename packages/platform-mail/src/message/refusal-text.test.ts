import { expect, it } from '@jest/globals'
import { anyText } from '@signalbox/platform-runtime/testing/any-text'
import fc from 'fast-check'
import { cutBounceText, refusalLines } from './refusal-text.ts'

it('the lines of a refusal fit into SMTP replies, whatever the text is', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText(60),
        anyText(60).map(text => text.repeat(200)),
      ),
      fc.boolean(),
      (text, utf8) => {
        const lines = refusalLines(text, utf8)
        expect(lines.length).toBeGreaterThan(0)
        expect(lines.length).toBeLessThanOrEqual(10)
        for (const line of lines) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(400)
          expect(line).not.toMatch(/\p{Cc}|^\s*$/u)
          expect(line.isWellFormed()).toBe(true)
          if (!utf8) expect(line).toMatch(/^[ -~]+$/)
        }
      },
    ),
  )
})

it('a text is cut between characters', () => {
  expect(cutBounceText('x'.repeat(2000))).toHaveLength(2000)
  expect(cutBounceText(`${'x'.repeat(1999)}😀`)).toBe(`${'x'.repeat(1999)}…`)
})
