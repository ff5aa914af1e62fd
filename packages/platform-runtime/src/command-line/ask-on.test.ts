import { PassThrough } from 'node:stream'
import { expect, it } from '@jest/globals'
import { askOn } from './ask-on.ts'

const terminal = () => Object.assign(new PassThrough(), { isTTY: true })

it('askOn() asks the questions in order, and treats the end of the input as an empty answer', async () => {
  const input = terminal()
  const output = terminal()
  const ask = askOn(input, output)!
  const first = ask('Which? ')
  input.write('one\n')
  expect(await first).toBe('one')
  expect(String(output.read())).toContain('Which? ')
  const second = ask('And? ')
  input.end()
  expect(await second).toBe('')
})

it('askOn() does not echo a hidden answer', async () => {
  const input = Object.assign(terminal(), { setRawMode: () => input })
  const output = terminal()
  const answer = askOn(input, output)!('Password: ', { isHidden: true })
  input.write('Right-7even\n')
  expect(await answer).toBe('Right-7even')
  const shown = String(output.read())
  expect(shown).toContain('Password: ')
  expect(shown).not.toContain('7even')
})

it('askOn() returns undefined without a terminal', () => {
  expect(askOn(new PassThrough(), terminal())).toBeUndefined()
  expect(askOn(terminal(), new PassThrough())).toBeUndefined()
})
