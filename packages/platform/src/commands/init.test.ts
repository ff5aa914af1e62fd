import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { run } from '../../../platform-runtime/src/command-line/run.ts'
import { temporaryFolder } from '../../../platform-runtime/src/testing/temporary-folder.ts'
import { captureTerminal } from '../testing/capture-terminal.ts'
import { commands } from './all.ts'

async function running(folder: string, ...args: string[]) {
  const captured = captureTerminal(folder)
  const exitCode = await run(['init', ...args], commands, '0', captured.terminal)
  return { exitCode, printed: captured.printed, printedErrors: captured.printedErrors }
}

describe('signalbox init', () => {
  it('writes a configuration, a function and a test into an empty folder, and prints the next steps', async () => {
    using folder = temporaryFolder()
    mkdirSync(join(folder.path, '.git'))
    const { exitCode, printed } = await running(folder.path)
    expect(exitCode).toBe(0)
    expect(printed).toContain(
      'Now:\n  npm install\n  npm test\n  npx signalbox dev\n  curl http://127.0.0.1:3000/hello/Ada',
    )
    expect(readdirSync(folder.path, { recursive: true })).toEqual(
      expect.arrayContaining([
        'package.json',
        'signalbox.config.ts',
        'functions/shop.ts',
        'functions/shop.test.ts',
      ]),
    )
    expect(JSON.parse(readFileSync(join(folder.path, 'package.json'), 'utf8'))).toMatchObject({
      name: expect.stringMatching(/^signalbox-test-[a-z0-9-]+$/),
      dependencies: { '@signalbox/core': expect.stringMatching(/^file:.*\/packages\/core$/) },
    })
  })

  it('makes the folder', async () => {
    using folder = temporaryFolder()
    const { printed } = await running(folder.path, 'My Shop')
    expect(printed).toContain('Now:\n  cd "My Shop"\n')
    expect(readFileSync(join(folder.path, 'My Shop', 'package.json'), 'utf8')).toContain('"name": "my-shop"')
  })

  it.each([
    ['shop-2', 'shop-2'],
    ["Ada's", `"Ada's"`],
    ["Ada's $5", `'Ada'\\''s $5'`],
  ])('prints how to change into %s', async (name, quoted) => {
    using folder = temporaryFolder()
    expect((await running(folder.path, name)).printed).toContain(`Now:\n  cd ${quoted}\n`)
  })

  it('refuses a folder that is not empty, and touches nothing in it', async () => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'mine.txt'), '')
    const { exitCode, printedErrors } = await running(folder.path)
    expect(exitCode).toBe(2)
    expect(printedErrors).toMatch(/is not empty: it holds mine\.txt\.$/)
    expect(readdirSync(folder.path)).toEqual(['mine.txt'])
    expect((await running(folder.path, 'mine.txt')).printedErrors).toMatch(/mine\.txt is not a folder\.$/)
  })
})
