import { expect, it } from '@jest/globals'
import { isThisMachine, thisMachine, trustedClients } from './trusted-clients.ts'

it('only this machine is trusted by default', () => {
  const isTrusted = trustedClients(thisMachine)
  expect(['127.0.0.1', '127.9.9.9', '::1'].every(isTrusted)).toBe(true)
  expect(['10.0.0.1', '128.0.0.1', '::2', 'fe80::1', ''].some(isTrusted)).toBe(false)
})

it('the configured addresses and networks are trusted, in IPv4 and IPv6', () => {
  const isTrusted = trustedClients([...thisMachine, '10.1.0.0/16', '192.0.2.7', '2001:db8::/32', 'fd00::1'])
  expect(['10.1.255.1', '192.0.2.7', '2001:db8:1::9', 'fd00::1', '::1'].every(isTrusted)).toBe(true)
  expect(['10.2.0.1', '192.0.2.8', '2001:db9::1', 'fd00::2'].some(isTrusted)).toBe(false)
})

it('the address of an IPv4 client is recognized even at an IPv6 listener', () => {
  expect(trustedClients(['10.1.0.0/16'])('::ffff:10.1.2.3')).toBe(true)
})

it('only loopback addresses belong to this machine, in IPv4, IPv6 and IPv4-mapped IPv6', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].every(isThisMachine)).toBe(true)
  const others = ['192.0.2.2', 'fd00::2', 'fe80::1', '::ffff:192.0.2.2', '0.0.0.0', '::', '::127.0.0.1', '']
  expect(others.some(isThisMachine)).toBe(false)
})
