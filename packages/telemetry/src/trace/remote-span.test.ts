import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { fromTraceHeader, fromTraceparent, toTraceHeader, toTraceparent } from './remote-span.ts'

const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
const span = { traceId, spanId, isSampled: true }

describe('a traceparent', () => {
  it.each([
    [`00-${traceId}-${spanId}-01`, span],
    [` 00-${traceId}-${spanId}-00 `, { ...span, isSampled: false }],
    [`00-${traceId}-${spanId}-03`, span],
    [`cc-${traceId}-${spanId}-01-what-comes-later`, span],
    [`00-${traceId}-${spanId}-01-more`, undefined],
    [`ff-${traceId}-${spanId}-01`, undefined],
    [`00-${'0'.repeat(32)}-${spanId}-01`, undefined],
    [`00-${traceId}-${'0'.repeat(16)}-01`, undefined],
    [`00-${traceId.toUpperCase()}-${spanId}-01`, undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s is read', (value, expected) => {
    expect(fromTraceparent(value)).toEqual(expected)
  })

  it('is what it was written from', () => {
    const digits = (length: number) =>
      fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)).filter(text => !/^0+$/.test(text))
    fc.assert(
      fc.property(digits(32), digits(16), fc.boolean(), (trace, id, isSampled) => {
        const any = { traceId: trace, spanId: id, isSampled }
        expect(fromTraceparent(toTraceparent(any))).toEqual(any)
        expect(fromTraceHeader(toTraceHeader(any))).toEqual(any)
      }),
    )
  })
})

describe('a trace header', () => {
  const root = `Root=1-${traceId.slice(0, 8)}-${traceId.slice(8)}`
  it.each([
    [`${root};Parent=${spanId};Sampled=1`, span],
    [`Sampled=0; Parent=${spanId.toUpperCase()} ;${root};Lineage=a:1`, { ...span, isSampled: false }],
    [`${root};Parent=${spanId}`, { ...span, isSampled: false }],
    [root, undefined],
    [`Root=2-${traceId.slice(0, 8)}-${traceId.slice(8)};Parent=${spanId}`, undefined],
    [`${root};Parent=0000000000000000;Sampled=1`, undefined],
    [`${root};Parent=${spanId};${'x'.repeat(1000)}`, undefined],
    ['junk', undefined],
    [undefined, undefined],
  ])('%s is read', (value, expected) => {
    expect(fromTraceHeader(value)).toEqual(expected)
  })
})
