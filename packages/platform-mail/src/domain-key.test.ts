import { expect, it } from '@jest/globals'
import { domainKey } from './domain-key.ts'

it.each([
  ['Office.Example', 'office.example'],
  ['office.example.', 'office.example'],
  ['office。example', 'office.example'],
  ['office．example｡', 'office.example'],
  ['ｏｆｆｉｃｅ.example', 'office.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BU\u0308CHER.example', 'xn--bcher-kva.example'],
  ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
  ['bücher。example.', 'xn--bcher-kva.example'],
  ['faß.example', 'xn--fa-hia.example'],
  ['[192.0.2.1]', '[192.0.2.1]'],
  ['bücher.example/office.example', 'bücher.example/office.example'],
  ['bücher%2eexample', 'bücher%2eexample'],
  ['office.example..', 'office.example..'],
  ['', ''],
])('domainKey() converts %j to %j', (domain, key) => {
  expect(domainKey(domain)).toBe(key)
})
