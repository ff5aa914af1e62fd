import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { projectFolder } from '@signalbox/platform-load-balancer/testing/project-folder'
import { run } from '@signalbox/platform-runtime/command-line'
import { captureTerminal } from '../testing/capture-terminal.ts'
import { commands } from './all.ts'

it.each(['log', 'log --json'])('"signalbox %s" prints no control characters from logged text', async line => {
  using folder = projectFolder()
  const path = '/\u001b]0;owned\u0007\u009b2J\u202egpj.exe'
  writeFileSync(join(folder.path, 'event.json'), JSON.stringify({ ...httpEvent('GET', '/'), path }))
  const signalbox = async (...words: string[]) => {
    const captured = captureTerminal(folder.path)
    await run(words, commands, '1', captured.terminal)
    return captured.printed
  }
  await signalbox('invoke', 'shop', 'event.json')
  const printed = await signalbox(...line.split(' '))
  expect(printed).toMatch(/owned/)
  expect(printed.replaceAll('\n', '')).toMatch(/^[^\p{Cc}\u202e]*$/u)
})

it.each([
  ['--last x', '--last needs a number from 0 to 999999999, not "x".'],
  ['--last -5', '--last needs a value. Write --last=VALUE for a value that begins with a hyphen.'],
  ['--last=-5', '--last needs a number from 0 to 999999999, not "-5".'],
])('"signalbox log %s" is refused with the reason', async (line, sentence) => {
  using folder = projectFolder()
  const captured = captureTerminal(folder.path)
  expect(await run(['log', ...line.split(' ')], commands, '1', captured.terminal)).toBe(2)
  expect(captured.printedErrors.split('\n')[0]).toBe(sentence)
})
