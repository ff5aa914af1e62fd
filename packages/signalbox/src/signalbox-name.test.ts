import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'

const folder = join(import.meta.dirname, '..')
const { name, bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

it('npx signalbox outside a project prints one line with the command of the platform, and fails', () => {
  // npx runs the only program of a package, whatever its name is.
  const [program, ...others] = Object.values<string>(bin)
  expect([name, others]).toEqual(['signalbox', []])
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, program!), 'init', 'shop'], {
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'The command signalbox comes with the package @signalbox/platform: npx @signalbox/platform init shop\n',
  })
})

it('its program has another name than that of the platform, so that a project can have both', () => {
  const platform = JSON.parse(readFileSync(join(folder, '../platform/package.json'), 'utf8'))
  expect(Object.keys(bin)).not.toContain(Object.keys(platform.bin)[0])
})
