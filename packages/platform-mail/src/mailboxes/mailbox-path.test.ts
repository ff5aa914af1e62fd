import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { addressKey } from '@signalbox/mail-flow/contract'
import { anyText } from '@signalbox/platform-runtime/testing/any-text'
import fc from 'fast-check'
import { domainKey } from '../domain-key.ts'
import { mailboxName } from '../mailbox-name.ts'
import { addressOf, folderName, mailboxPath } from './mailbox-path.ts'

/** Returns the address with the name of its mailbox as the local part. */
function ofMailbox(address: string): string {
  const at = address.lastIndexOf('@')
  return `${mailboxName(address.slice(0, at))}@${domainKey(addressKey(address).slice(at + 1))}`
}

it.each([
  ['ann.lee+x@office.example', 'office.example/ann.lee+x'],
  ['Ann@OFFICE.Example', 'office.example/ann'],
  ['../../etc@..', '%2E./%2E.%2F..%2Fetc'],
  ['.Junk@office.example', 'office.example/%2Ejunk'],
  ['"a b/c\\\\d%00"@office.example', 'office.example/%22a%20b%2Fc%5C%5Cd%2500%22'],
  ['dörte@bücher.example', 'b%C3%BCcher.example/d%C3%B6rte'],
  ['"Ann\\.lee"@office.example', 'office.example/ann.lee'],
  ['""@office.example', 'office.example/%22%22'],
  ['a@[IPv6:::1]', '%5Bipv6%3A%3A%3A1%5D/a'],
])('the mailbox folder of "%s" is "%s"', (address, path) => {
  expect(mailboxPath('/mail', address)).toBe(join('/mail', path))
  const [domain, local] = path.split('/')
  expect(ofMailbox(addressOf(domain!, local!)!)).toBe(ofMailbox(address))
})

it('only addresses of the same mailbox share a folder, even if the file system ignores letter case', () => {
  const char = fc.constantFrom(...'aA.%-_/@\\ 0"ıİſKé\u0301é\0'.split(''), '..', '%41', '%-')
  const text = fc.string({ unit: char, maxLength: 6 })
  const address = fc.tuple(text, text).map(([local, domain]) => `${local}@${domain.replaceAll('@', '')}`)
  const folded = (of: string) => mailboxPath('/mail', of).toUpperCase()
  fc.assert(
    fc.property(address, address, (one, other) => {
      expect(folded(one) === folded(other)).toBe(ofMailbox(one) === ofMailbox(other))
    }),
    { numRuns: 1000 },
  )
})

it('an ASCII domain has the folder of its Unicode form, and a lookalike domain has a different folder', () => {
  const letters = mailboxPath('/mail', 'ann@bücher.ab')
  expect(mailboxPath('/mail', 'ann@xn--bcher-kva.AB')).toBe(letters)
  for (const domain of [
    'xn--bcher-kva.%61b',
    'xn--bcher-kva.ab/c',
    'xn--bcher-kva.ab?c',
    'xn--bcher-kva.ab#c',
  ])
    expect(mailboxPath('/mail', `ann@${domain}`)).not.toBe(letters)
})

it('any string becomes a folder name that every file system accepts', () => {
  fc.assert(
    fc.property(anyText(40), fc.nat(9), (part, times) => {
      const name = folderName(part.repeat(times))
      expect(name).toMatch(/^(?:[a-z0-9_+=-]|%[0-9A-F]{2}|(?!^)\.)*$|^%-(?:[0-9a-f]{64})?$/)
      expect(name.length).toBeLessThanOrEqual(200)
    }),
  )
})

it('different long mailbox names have different folders', () => {
  const long = 'ö'.repeat(100)
  expect(folderName(`${long}a`)).not.toBe(folderName(`${long}b`))
  expect(addressOf('office.example', folderName(long))).toBeUndefined()
  expect(addressOf('office.example', '%ZZ')).toBeUndefined()
})

it.each(['bu\u0308cher.example', 'bücher。example', 'XN--BCHER-KVA.example.'])(
  'mail for the domain "%s" is in the folder of "bücher.example"',
  domain => {
    expect(mailboxPath('/', `ann@${domain}`)).toBe(mailboxPath('/', 'ann@bücher.example'))
  },
)
