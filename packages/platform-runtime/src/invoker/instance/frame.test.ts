import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { BrokenFrameError, type Frame, frameBytes, frameReader } from './frame.ts'

const frames = fc.array(
  fc.record<Frame>({
    kind: fc.constantFrom<Frame['kind'][]>('task', 'ready', 'out', 'result', 'uncaught'),
    task: fc.integer({ min: 0, max: 0xffff_ffff }),
    text: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('x'.repeat(1000))),
  }),
)

describe('frameReader()', () => {
  it('reads the output of frameBytes() when it is split at any byte', () => {
    fc.assert(
      fc.property(frames, fc.array(fc.integer({ min: 1, max: 40 })), (sent, sizes) => {
        const received: Frame[] = []
        const read = frameReader(10_000, frame => received.push(frame))
        const bytes = Buffer.concat(sent.map(({ kind, task, text }) => frameBytes(kind, task, text)))
        let at = 0
        for (const size of sizes) {
          read(bytes.subarray(at, at + size))
          at += size
        }
        read(bytes.subarray(at))
        expect(received).toEqual(sent)
      }),
    )
  })

  it('reads any sequence of bytes as frames, or refuses it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), bytes => {
        const read = frameReader(20, ({ text }) => expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20))
        try {
          read(Buffer.from(bytes))
        } catch (error) {
          expect(error).toBeInstanceOf(BrokenFrameError)
        }
      }),
    )
  })

  const head = (length: number, kind: number) => {
    const bytes = Buffer.alloc(9)
    bytes.writeUInt32LE(length)
    bytes[4] = kind
    return bytes
  }
  it.each([
    ['is too long', head(101, 5), 'a frame of 101 bytes, at most 100 are allowed'],
    ['is of an unknown kind', head(0, 200), 'a frame of the unknown kind 200'],
    [
      'contains text that is not UTF-8',
      Buffer.concat([head(1, 5), Buffer.from([0xff])]),
      'text that is not UTF-8',
    ],
  ])('refuses a frame that %s', (_case, bytes, message) => {
    const whole = frameReader(100, () => {})
    expect(() => whole(bytes)).toThrow(new BrokenFrameError(message))
    const inPieces = frameReader(100, () => {})
    expect(() => {
      for (const byte of bytes) inPieces(Buffer.from([byte]))
    }).toThrow(new BrokenFrameError(message))
  })
})
