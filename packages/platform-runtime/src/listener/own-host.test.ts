import { describe, expect, it } from '@jest/globals'
import { isOwnHost } from './own-host.ts'

const rebinding = [
  'attacker.example',
  'localhost.attacker.example',
  '127.0.0.1.attacker.example',
  'localhost, attacker.example',
  'x@localhost',
  'localhost/x',
  'localhost:x',
  'attacker.example:80',
  'mylocalhost',
  '',
]

describe.each(['127.0.0.1', '::1', 'localhost'])('a listener on %s', host => {
  it.each(['localhost', 'LOCALHOST:9330', 'box.localhost', '127.0.0.1:1', '127.9.9.9', '[::1]:9324'])(
    'accepts its own host name %s',
    name => expect(isOwnHost(name, host)).toBe(true),
  )

  it.each([...rebinding, '10.0.0.7', '[fe80::1]', 'queue', 'host.docker.internal'])(
    'refuses the foreign host name %j (DNS rebinding)',
    name => expect(isOwnHost(name, host)).toBe(false),
  )
})

describe('a listener on 0.0.0.0', () => {
  it.each(['localhost', '10.0.0.7:9324', '[fe80::1]:9324', 'queue:9324', 'host.docker.internal'])(
    'accepts its own host name %s',
    name => expect(isOwnHost(name, '0.0.0.0')).toBe(true),
  )

  it.each(rebinding.filter(name => name !== 'mylocalhost'))(
    'refuses the foreign host name %j (DNS rebinding)',
    name => expect(isOwnHost(name, '0.0.0.0')).toBe(false),
  )
})

it('isOwnHost() accepts only the configured name when a listener has a host name', () => {
  expect(isOwnHost('Box.Example:9324', 'box.example')).toBe(true)
  expect(isOwnHost('other.example:9324', 'box.example')).toBe(false)
})
