import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'

const packages = join(import.meta.dirname, '../..')

it('npm create signalbox writes a project as signalbox init does', () => {
  using folder = temporaryFolder()
  const installed = join(folder.path, 'node_modules')
  const platform = join(installed, '@signalbox/platform')
  cpSync(join(packages, 'create-signalbox/bin'), join(installed, 'create-signalbox/bin'), { recursive: true })
  for (const each of ['bin', 'package.json'])
    cpSync(join(packages, 'platform', each), join(platform, each), { recursive: true })
  // The packed platform has compiled code here. This runs its source, so that the test needs no build.
  const source = pathToFileURL(join(packages, 'platform/src/command.ts')).href
  mkdirSync(join(platform, 'dist'))
  writeFileSync(join(platform, 'dist/command.js'), `await import(${JSON.stringify(source)})\n`)

  const program = join(installed, 'create-signalbox/bin/create-signalbox.js')
  const args = ['--conditions=@signalbox/source', program, 'shop', '--families', 'queue']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder.path, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('npm run dev')
  expect(existsSync(join(folder.path, 'shop/signalbox.config.ts'))).toBe(true)
})
