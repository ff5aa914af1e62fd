import { expect, it } from '@jest/globals'
import { sentence } from './sentence.ts'

it('sentence() joins lines, and truncates the result to 300 characters', () => {
  expect(sentence('  the response\nbreaks\tthe \u0000contract \r\n')).toBe('the response breaks the contract')
  expect(sentence('🙂'.repeat(300))).toBe('🙂'.repeat(300))
  expect(sentence('🙂'.repeat(301))).toBe(`${'🙂'.repeat(300)}…`)
})
