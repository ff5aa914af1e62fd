import { describe, expect, it } from '@jest/globals'
import { traceId, traceIdSource } from './trace-id.ts'

const ownId = traceIdSource(size => new Uint8Array(size).fill(0xab))(0x6affe644 * 1000 + 999)

it('a trace id contains the time in seconds and twelve random bytes', () => {
  expect(ownId).toBe(`1-6affe644-${'ab'.repeat(12)}`)
  let byte = 0
  const name = traceIdSource(size => Uint8Array.from({ length: size }, () => byte++ % 251))
  expect([name(1000), name(1999), name(2000)]).toEqual([
    '1-00000001-000102030405060708090a0b',
    '1-00000001-0c0d0e0f1011121314151617',
    '1-00000002-18191a1b1c1d1e1f20212223',
  ])
})

describe('x-cloud-trace-id', () => {
  it('is created when the client sends no trace id, or a trace id without Root=', () => {
    for (const arrived of [undefined, '', 'Self=1-a-b', 'Root=', 'Root= ;x=1', 'NotRoot=1']) {
      expect(traceId(arrived, ownId)).toBe(`Root=${ownId}`)
    }
  })

  it('keeps the Root= field that the client sends, and puts Self= before it', () => {
    expect(traceId('Root=1-a-b', ownId)).toBe(`Self=${ownId};Root=1-a-b`)
    expect(traceId('Root=1-a-b;Caller=app', ownId)).toBe(`Self=${ownId};Root=1-a-b;Caller=app`)
  })

  it('has only one Self= field even when the client sends one', () => {
    expect(traceId('Self=1-old;Root=1-a-b; Self=2', ownId)).toBe(`Self=${ownId};Root=1-a-b`)
  })
})
