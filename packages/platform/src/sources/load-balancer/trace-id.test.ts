import { describe, expect, it } from '@jest/globals'
import { traceId } from './trace-id.ts'

const now = 0x6affe644 * 1000
const random = (size: number) => new Uint8Array(size).fill(0xab)
const passage = `1-6affe644-${'ab'.repeat(12)}`

describe('x-cloud-trace-id', () => {
  it('is created when none arrives, or one without a root', () => {
    for (const arrived of [undefined, '', 'Self=1-a-b', 'Root=', 'Root= ;x=1', 'NotRoot=1']) {
      expect(traceId(arrived, now, random)).toBe(`Root=${passage}`)
    }
  })

  it('is kept when a root arrives, with this passage before it', () => {
    expect(traceId('Root=1-a-b', now, random)).toBe(`Self=${passage};Root=1-a-b`)
    expect(traceId('Root=1-a-b;Caller=app', now, random)).toBe(`Self=${passage};Root=1-a-b;Caller=app`)
  })

  it('names only the last passage', () => {
    expect(traceId('Self=1-old;Root=1-a-b; Self=2', now, random)).toBe(`Self=${passage};Root=1-a-b`)
  })
})
