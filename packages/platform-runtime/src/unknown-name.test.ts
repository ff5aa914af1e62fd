import { expect, it } from '@jest/globals'
import { unknownName } from './unknown-name.ts'

it.each([
  [['shop', 'orders'], 'There is no function "sohp". Did you mean shop?'],
  [['mail', 'orders'], 'There is no function "sohp". The functions are mail, orders.'],
  [[], 'There is no function "sohp". The configuration has no functions.'],
])('unknownName() lists the known names: %j', (known, sentence) => {
  expect(unknownName('function', 'sohp', known)).toBe(sentence)
})
