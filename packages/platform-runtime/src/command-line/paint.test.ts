import { expect, it } from '@jest/globals'
import { paintFor } from './paint.ts'

it.each([
  ['uses colours on a terminal', true, {}, true],
  ['uses no colours on a pipe', false, {}, false],
  ['uses no colours on a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
  ['uses colours on a pipe with FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
  ['uses no colours on a terminal with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
  [
    'uses colours on a terminal when NO_COLOR and FORCE_COLOR are empty',
    true,
    { NO_COLOR: '', FORCE_COLOR: '' },
    true,
  ],
])('paintFor() %s', (_case, isTTY, env, colored) => {
  expect(paintFor({ isTTY }, env)('green', 'go') !== 'go').toBe(colored)
})
