import { PassThrough } from 'node:stream'
import { expect, it } from '@jest/globals'
import { progressOn } from './progress-on.ts'

it('on a terminal, each progress line replaces the previous one; other streams get no progress lines', () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true })
  const progress = progressOn(terminal)!
  progress('1 of 2')
  progress('')
  expect(String(terminal.read())).toBe('\r\x1b[2K1 of 2\r\x1b[2K')
  expect(progressOn(new PassThrough())).toBeUndefined()
})
