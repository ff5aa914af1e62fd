import { PassThrough } from 'node:stream'
import { expect, it } from '@jest/globals'
import { progressOn } from './progress-on.ts'

it('each progress line replaces the previous one on a terminal, and is not written to other streams', () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true })
  const progress = progressOn(terminal)!
  progress('1 of 2')
  progress('')
  expect(String(terminal.read())).toBe('\r\x1b[2K1 of 2\r\x1b[2K')
  expect(progressOn(new PassThrough())).toBeUndefined()
})
