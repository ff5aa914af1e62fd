import { createHmac } from 'node:crypto'
import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { hmacSha256 } from './hmac-sha256.ts'

it('hmacSha256() returns the same digests as the Node class Hmac', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 64 }),
      fc.array(fc.string({ unit: 'binary-ascii' })),
      (key, texts) => {
        const sign = hmacSha256(key)
        for (const text of texts)
          expect(sign(text)).toBe(createHmac('sha256', key).update(text).digest('hex'))
      },
    ),
  )
})
