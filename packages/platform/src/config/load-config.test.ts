import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { loadConfig } from '@signalbox/platform-runtime/platform/testing/parts'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'

/**
 * Loads the configuration in another Node process, because the test process cannot import TypeScript without
 * jest.
 */
function loading(files: { readonly [name: string]: string }, ...args: string[]) {
  using folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder.path, name), content)
  const script = new URL('../testing/print-config.ts', import.meta.url).pathname
  const { stdout } = spawnSync(
    process.execPath,
    ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning', script, folder.path, ...args],
    { encoding: 'utf8' },
  )
  return stdout.replaceAll(folder.path, '.').trim()
}

describe('loadConfig', () => {
  it('reads the default export of signalbox.config.ts, or the export named config', () => {
    expect(
      loading({ 'signalbox.config.ts': 'const grace: number = 1\nexport default { functions: {}, grace }' }),
    ).toBe('{"config":{"functions":{},"grace":1},"file":"./signalbox.config.ts","root":"."}')
    expect(loading({ 'signalbox.config.js': 'export const config = { functions: {} }' })).toContain(
      '"functions":{}',
    )
    expect(loading({ 'other.mjs': 'export default 7' }, 'other.mjs')).toContain('"config":7')
  })

  it.each<[string, { [name: string]: string }, string]>([
    ['is missing', {}, 'There is no signalbox.config.ts in .. Make one with: signalbox init'],
    [
      'has no suitable export',
      { 'signalbox.config.ts': 'export const x = 1' },
      './signalbox.config.ts has neither a default export nor one named config.',
    ],
    [
      'exports a promise',
      { 'signalbox.config.ts': 'export default Promise.resolve({ functions: {} })' },
      './signalbox.config.ts exports a promise. Export its value: export default await …',
    ],
    [
      'exports a function',
      { 'signalbox.config.ts': 'export default () => ({ functions: {} })' },
      './signalbox.config.ts exports a function. Export the object that it returns.',
    ],
    [
      'imports a package that is not installed',
      { 'signalbox.config.mts': 'import "left-padd"' },
      'Run npm install, or add the package: npm install left-padd',
    ],
    [
      'throws',
      { 'signalbox.config.ts': 'throw new TypeError("no")' },
      './signalbox.config.ts cannot be loaded. TypeError: no',
    ],
    [
      'throws, and names the line that throws',
      { 'signalbox.config.mts': '\nthrow new TypeError("no")' },
      'TypeError: no\n    at file://./signalbox.config.mts:2:7',
    ],
    [
      'imports a missing file',
      { 'signalbox.config.mts': 'import "./gone.ts"' },
      "signalbox.config.mts cannot be loaded. Error: Cannot find module './gone.ts' imported from ./signalbox.config.mts",
    ],
    ['throws undefined', { 'signalbox.config.ts': 'throw undefined' }, 'cannot be loaded. undefined'],
    [
      'is not JavaScript, and suggests a command that shows the error',
      { 'signalbox.config.mjs': 'const x = = 1' },
      `SyntaxError: Unexpected token '='. See where: node "./signalbox.config.mjs"`,
    ],
    [
      'is not TypeScript, and names the line with the error',
      { 'signalbox.config.ts': '\nconst x: = 1' },
      './signalbox.config.ts:2',
    ],
    [
      'is not TypeScript',
      { 'signalbox.config.ts': 'const x: = 1' },
      './signalbox.config.ts cannot be loaded. SyntaxError: ',
    ],
  ])('reports a configuration file that %s', (_case, files, message) => {
    expect(loading(files)).toContain(message)
  })

  it('reports the path of a missing file that --config names', async () => {
    await expect(loadConfig('/', 'nowhere.ts')).rejects.toThrow('There is no nowhere.ts.')
  })
})
