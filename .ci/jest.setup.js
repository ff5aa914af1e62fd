// Runs once before all tests.
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, globSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { counting } from './jest.counters.js'

const pathOf = name => fileURLToPath(new URL(`../${name}`, import.meta.url))

export default async function prepare(globalConfig, config) {
  storeCompiledCode()
  if (globalConfig.collectCoverage) await storeCountedSources(globalConfig, config)
  storeKeys(pathOf('node_modules/.cache/signalbox-keys.json'))
}

/**
 * Tests kill most instances before these can store their compiled code. A process that loads the same modules and ends by
 * itself therefore runs before the tests. Outside an instance, some of the modules throw an error.
 */
function storeCompiledCode() {
  const modules = globSync(
    [
      'packages/platform-runtime/src/invoker/instance/{instance-main,watchdog-thread}.ts',
      'packages/*/src/testing/functions/*.ts',
    ].map(pathOf),
  )
  const code = 'for (const each of process.argv.slice(1)) await import(each).catch(() => {})'
  const options = ['--conditions=@signalbox/source', '--input-type=module', '--eval', code]
  spawnSync(process.execPath, [...options, ...modules], { stdio: 'ignore' })
}

/** Adds the counters for coverage to sources. All workers begin with the same sources, and each would do it, too. */
async function storeCountedSources(globalConfig, config) {
  globSync(pathOf('packages/*/src/**/*.ts')).forEach(await counting(globalConfig, config))
}

/** Writes the RSA keys that `jest.keys.js` gives to tests. */
function storeKeys(path) {
  if (existsSync(path)) return
  const keys = Array.from({ length: 48 }, () =>
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  )
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(keys))
  renameSync(`${path}.${process.pid}`, path)
}
