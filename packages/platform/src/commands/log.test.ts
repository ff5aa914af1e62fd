import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { run } from '../../../platform-runtime/src/command-line/run.ts'
import { captureTerminal } from '../testing/capture-terminal.ts'
import { projectFolder } from '../testing/project-folder.ts'
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
