import { expect, it } from '@jest/globals'
import { paintFor } from './paint.ts'

it.each([
  ['a terminal', true, {}, true],
  ['a pipe', false, {}, false],
  ['a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
  ['a pipe with FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
  ['a terminal with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
  ['a terminal with empty variables', true, { NO_COLOR: '', FORCE_COLOR: '' }, true],
])('paintFor() decides about colours on %s', (_case, isTTY, env, colored) => {
  expect(paintFor({ isTTY }, env)('green', 'go') !== 'go').toBe(colored)
})
