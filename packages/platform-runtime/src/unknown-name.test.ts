import { expect, it } from '@jest/globals'
import { unknownName } from './unknown-name.ts'

it.each([
  ['suggests a similar name', ['shop', 'orders'], 'There is no function "sohp". Did you mean shop?'],
  [
    'lists the known names when no name is similar',
    ['mail', 'orders'],
    'There is no function "sohp". The functions are mail, orders.',
  ],
  ['says that there are no names', [], 'There is no function "sohp". The configuration has no functions.'],
])('unknownName() %s', (_case, known, sentence) => {
  expect(unknownName('function', 'sohp', known)).toBe(sentence)
})
