import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { bytePieces } from './byte-pieces.ts'

const none = Buffer.alloc(0)

it('BytePieces.take() returns each chunk once, in order, after the bytes of its argument', () => {
  const sizes = fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 10_000 })))
  fc.assert(
    fc.property(sizes, given => {
      const pieces = bytePieces()
      const chunks = given.map((size, at) => Buffer.alloc(size, at))
      for (const chunk of chunks) pieces.add(chunk)
      const top = Buffer.from('top')
      expect(pieces.take(top).equals(Buffer.concat([top, ...chunks]))).toBe(true)
      expect(pieces.take(none)).toHaveLength(0)
    }),
    { numRuns: 200 },
  )
})

it('BytePieces.take() does not return bytes that were dropped', () => {
  const pieces = bytePieces()
  for (const size of [1, 5000, 1]) pieces.add(Buffer.alloc(size))
  pieces.drop()
  pieces.add(Buffer.from('x'))
  expect(pieces.take(none).toString()).toBe('x')
})

it('bytePieces() copies small chunks, so that the large buffers that they came from can be freed', () => {
  const pieces = bytePieces()
  const chunk = Buffer.alloc(1)
  for (let byte = 0; byte < 256; byte++) {
    chunk[0] = byte
    pieces.add(chunk)
  }
  expect([...pieces.take(none)]).toEqual(Array.from({ length: 256 }, (_, byte) => byte))
})
