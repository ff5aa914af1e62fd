import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { addressPattern, moreSpecific } from './address-pattern.ts'

it.each([
  ['*', ['ann@office.example', ''], []],
  ['<>', [''], ['ann@office.example']],
  [
    'ann@office.example',
    ['ann@office.example', 'Ann@OFFICE.example', '"ann"@office.example'],
    ['an@office.example'],
  ],
  [
    'office.example',
    ['ann@office.example', 'bob@Office.Example'],
    ['ann@a.office.example', 'ann@xoffice.example', ''],
  ],
  ['*@office.example', ['ann@office.example'], ['ann@office.example.org']],
  [
    '*.office.example',
    ['ann@a.office.example', 'ann@b.a.office.example'],
    ['ann@office.example', 'a@xoffice.example'],
  ],
  ['ann@*', ['ann@office.example', 'ann@far.example'], ['bob@office.example', '']],
  ['ann@*.example', ['ann@office.example'], ['ann@example', 'bob@office.example']],
  ['news-*@office.example', ['news-@office.example', 'news-1@office.example'], ['news@office.example']],
  [
    'a*b*c@office.example',
    ['abc@office.example', 'axbxbxc@office.example'],
    ['acb@office.example', 'ac@office.example'],
  ],
  ['ab*ba@office.example', ['abba@office.example'], ['aba@office.example']],
  ['bücher.example', ['ann@xn--bcher-kva.example'], ['ann@bucher.example']],
])('the pattern %s matches exactly its addresses', (text, yes, no) => {
  const { matches } = addressPattern(text)
  expect(yes.filter(address => !matches(address))).toEqual([])
  expect(no.filter(matches)).toEqual([])
})

it('patterns have an order, from an address to all addresses', () => {
  const ordered = [
    'ann@office.example',
    'news-a*@office.example',
    'news-*@office.example',
    'office.example',
    'ann@*.b.office.example',
    '*.b.office.example',
    '*.office.example',
    'ann@*',
    '*',
  ]
  const sorted = ordered
    .toReversed()
    .sort((a, b) => moreSpecific(addressPattern(a).specificity, addressPattern(b).specificity))
  expect(sorted).toEqual(ordered)
})

it('a pattern with wildcards matches any local part that its pieces make up, in time that grows with its length', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 4 })
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 2, maxLength: 6 }),
      fc.array(piece, { minLength: 6 }),
      (pieces, fill) => {
        const text = `${pieces.join('*')}@a.example`
        const local = pieces.map((each, at) => (at === 0 ? each : `${fill[at]}${each}`)).join('')
        expect(addressPattern(text).matches(`${local}@a.example`)).toBe(true)
      },
    ),
  )
  expect(addressPattern(`${'a*'.repeat(30)}b@a.example`).matches(`${'a'.repeat(60)}@a.example`)).toBe(false)
})
