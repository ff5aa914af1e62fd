import { describe, expect, it } from '@jest/globals'
import { clientAddress } from './client-address.ts'

describe('clientAddress', () => {
  it.each([
    ['takes the only address', ['203.0.113.7'], 1, '203.0.113.7'],
    ['takes the last of two addresses', ['6.6.6.6, 203.0.113.7'], 1, '203.0.113.7'],
    [
      'takes the second address from the end with two trusted hops',
      ['6.6.6.6, 203.0.113.7, 10.0.0.1'],
      2,
      '203.0.113.7',
    ],
    ['counts the addresses of several headers', ['6.6.6.6', '203.0.113.7,10.0.0.1'], 2, '203.0.113.7'],
    ['takes the first address when there are more trusted hops', ['203.0.113.7, 10.0.0.1'], 5, '203.0.113.7'],
    ['removes the port of an IPv4 address', ['203.0.113.7:41234'], 1, '203.0.113.7'],
    ['removes the port and the brackets of an IPv6 address', ['[2001:db8::7]:41234'], 1, '2001:db8::7'],
    ['finds no address after an unclosed bracket', ['[2001:db8::7'], 1, undefined],
    ['finds no address in a word', ['unknown'], 1, undefined],
    ['finds no address in a text of 64 KB', ['a'.repeat(65_536)], 1, undefined],
    ['takes an IPv6 address without brackets', ['2001:db8::7'], 1, '2001:db8::7'],
    ['finds no address when the client’s entry is empty', [',203.0.113.7'], 2, undefined],
    ['finds no address when the last entry is empty', ['6.6.6.6,'], 1, undefined],
    ['finds no address in an empty header', [''], 1, undefined],
    ['finds no address without an x-forwarded-for header', [], 1, undefined],
  ] as const)('%s', (_, headers, hops, address) => {
    expect(clientAddress(headers, hops)).toBe(address)
  })
})
