import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { arbitraryAddress } from '../testing/arbitrary.ts'
import { addressKey, isAddress } from './address.ts'

describe('addressKey', () => {
  it('turns the domain into lower case, and does not change the local part', () => {
    expect(addressKey('Ann.Lee@OFFICE.Example')).toBe('Ann.Lee@office.example')
    expect(addressKey('"A@B"@OFFICE.example')).toBe('"A@B"@office.example')
    expect(addressKey('Äna@BÜCHER.example')).toBe('Äna@bücher.example')
    expect(addressKey('Äna@Übersee.example')).toBe('Äna@übersee.example')
    expect(addressKey('A@A')).toBe('A@a')
    expect(addressKey('Z@Z')).toBe('Z@z')
    expect(addressKey('@OFFICE')).toBe('@office')
    expect(addressKey('ann@b@OFFICE')).toBe('ann@b@office')
  })

  it('leaves a string without a domain unchanged', () => {
    expect(addressKey('Postmaster')).toBe('Postmaster')
    expect(addressKey('POSTMASTER')).toBe('POSTMASTER')
    expect(addressKey('')).toBe('')
  })
})

describe('isAddress', () => {
  it.each([
    'ann@office.example',
    'ann+list=x@office.example',
    '"Ann Lee, office"@office.example',
    '"a\\"b@c"@office.example',
    'dörte@bücher.example',
    '用户@例子.example',
    'ann@[192.0.2.1]',
    'ann@[IPv6:2001:db8::1]',
    'foo..bar.@docomo.example',
    'root@localhost',
    "o'hara/x!#$%&*-/?^_`{|}~@office.example",
  ])('accepts %j', text => expect(isAddress(text)).toBe(true))

  it.each([
    '',
    'ann',
    '@office.example',
    'ann@',
    'ann@office.example,bob@office.example',
    'ann@office.example;',
    'ann @office.example',
    ' ann@office.example',
    'Ann <ann@office.example>',
    '<ann@office.example>',
    'mailto:ann@office.example',
    'ann@office@example',
    'ann@office.example\r\nBcc: x@y.example',
    'ann\u0000@office.example',
    '"ann@office.example',
    'ann@[192.0.2.1',
  ])('refuses %j', text => expect(isAddress(text)).toBe(false))

  it('refuses control characters everywhere, and accepts all other characters of a quoted local part', () => {
    const wrong = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
      character => {
        const isControl = /\p{Cc}/u.test(character)
        const quoted = [`"a${character}b"@c`, `"a\\${character}b"@c`].map(isAddress)
        if (!isControl) return quoted.includes(false) && !'"\\'.includes(character)
        return [...quoted, isAddress(`a${character}b@c`), isAddress(`a@[${character}b]`)].includes(true)
      },
    )
    expect(wrong).toEqual([])
  })

  it('accepts any address that arbitraryAddress() generates', () => {
    fc.assert(fc.property(arbitraryAddress(), address => isAddress(address)))
  })

  it('is fast even for hostile strings of one megabyte', () => {
    for (const text of [
      '"\\'.repeat(500_000),
      `"${'\\a'.repeat(500_000)}`,
      'a'.repeat(1_000_000),
      '@'.repeat(1_000_000),
    ])
      expect(isAddress(text)).toBe(false)
    expect(isAddress(`"${'a'.repeat(10_000_000)}"@office.example`)).toBe(true)
  })
})
