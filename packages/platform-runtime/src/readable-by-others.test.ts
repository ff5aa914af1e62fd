import { expect, it } from '@jest/globals'
import { isReadableByOthers } from './readable-by-others.ts'

it('a file is readable by others than its owner by its mode, which says nothing on Windows', () => {
  expect([0o600, 0o400, 0o640, 0o604, 0o666].map(mode => isReadableByOthers({ mode }, 'linux'))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ])
  expect(isReadableByOthers({ mode: 0o100666 }, 'win32')).toBe(false)
})
