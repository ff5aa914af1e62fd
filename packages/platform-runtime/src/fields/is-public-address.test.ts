import { expect, it } from '@jest/globals'
import { isPublicAddress } from './is-public-address.ts'

it.each(['1.1.1.1', '172.15.0.1', '172.32.0.1', '223.255.255.1', '2606:4700::1111', '2a00:1450:4001::64'])(
  'isPublicAddress() is true for %s',
  address => expect(isPublicAddress(address)).toBe(true),
)

it.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  'localhost',
  '',
])('isPublicAddress() is false for %j', address => expect(isPublicAddress(address)).toBe(false))
