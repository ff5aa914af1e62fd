import { describe, expect, it } from '@jest/globals'
import { clientAddress } from './client-address.ts'

describe('clientAddress', () => {
  it.each([
    [['203.0.113.7'], 1, '203.0.113.7'],
    [['6.6.6.6, 203.0.113.7'], 1, '203.0.113.7'],
    [['6.6.6.6, 203.0.113.7, 10.0.0.1'], 2, '203.0.113.7'],
    [['6.6.6.6', '203.0.113.7,10.0.0.1'], 2, '203.0.113.7'],
    [['203.0.113.7, 10.0.0.1'], 5, '203.0.113.7'],
    [['203.0.113.7:41234'], 1, '203.0.113.7'],
    [['[2001:db8::7]:41234'], 1, '2001:db8::7'],
    [['[2001:db8::7'], 1, undefined],
    [['unknown'], 1, undefined],
    [['a'.repeat(65_536)], 1, undefined],
    [['2001:db8::7'], 1, '2001:db8::7'],
    [[',203.0.113.7'], 2, undefined],
    [['6.6.6.6,'], 1, undefined],
    [[''], 1, undefined],
    [[], 1, undefined],
  ])('of %j, with %d trusted hops, is %s', (headers, hops, address) => {
    expect(clientAddress(headers, hops)).toBe(address)
  })
})
