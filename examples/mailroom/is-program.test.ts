import { expect, it } from '@jest/globals'
import { isProgram } from './is-program.ts'

it.each([
  'setup.exe',
  'SETUP.EXE',
  'invoice.pdf.exe',
  'setup.exe.',
  'setup.exe ',
  'setup.exe. . ',
  'setup.exe\u00a0',
  'setup.exe::$DATA',
  'setup.exe:stream',
  'invoice\u202efdp.exe',
  'setup.\u200bexe',
  'setup.ex\u0000e',
  'setup．ｅｘｅ',
  'C:\\temp\\setup.exe',
  'run.js',
  'run.ps1',
])('the file name %j is recognized as a program', filename => {
  expect(isProgram(filename)).toBe(true)
})

it.each(['', 'invoice.pdf', 'exe', 'about-setup.exe.txt', 'package.json', 'notes.execution', 'a:b.pdf'])(
  'the file name %j is not recognized as a program',
  filename => {
    expect(isProgram(filename)).toBe(false)
  },
)
