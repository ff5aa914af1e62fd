import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'

const root = join(import.meta.dirname, '..')

// Without known durations, jest begins with the longest file.
const first = `// ${'x'.repeat(1000)}
import { expect, it, jest } from '@jest/globals'
jest.setTimeout(50)
jest.spyOn(console, 'info').mockReturnValue()
process.env.OF_THE_FIRST = 'set'
globalThis.ofTheFirst = 'the same process'
it('has a limit of its own', () => expect(1).toBe(1))`

const second = `import { expect, it } from '@jest/globals'
it('begins as if it were alone', async () => {
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(globalThis.ofTheFirst).toBe('the same process')
  expect([process.env.OF_THE_FIRST, 'mock' in console.info]).toEqual([undefined, false])
})`

it('what a test file changes is put back for the next one in its process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-runner-'))
  try {
    writeFileSync(join(folder, 'first.test.mjs'), first)
    writeFileSync(join(folder, 'second.test.mjs'), second)
    const config = {
      rootDir: folder,
      testMatch: ['**/*.test.mjs'],
      testRunner: join(import.meta.dirname, 'jest.runner.js'),
      injectGlobals: false,
      transform: {},
      globals: { propertySeed: 1 },
    }
    const jest = join(root, 'node_modules/jest/bin/jest.js')
    const options = [jest, '--runInBand', '--config', JSON.stringify(config)]
    const { stderr } = await promisify(execFile)(process.execPath, options, { cwd: root })
    expect(stderr).toContain('Tests:       2 passed, 2 total')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
