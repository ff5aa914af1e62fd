// Installs missing dependencies, then runs a command with the repository's Node first in PATH. It must run on
// any Node from version 20.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
const environment = {
  ...process.env,
  PATH: bin + delimiter + process.env.PATH,
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  // The type tests need the compiler's older API. Without this variable, they would download a compiler.
  TSTYCHE_TYPESCRIPT_MODULE: 'typescript-6',
}

if (!installed()) install()
const [command, ...args] = process.argv.slice(2)
if (command === undefined) throw new Error('usage: node .ci/run-with-dependencies.js COMMAND [ARG…]')
// This is the full path, because this process may run on another Node.
run(existsSync(join(bin, command)) ? join(bin, command) : command, args)

/** `npm ci` writes the hidden lockfile last, so an installation that was cut off does not count. */
function installed() {
  const installation = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installation) || !existsSync(join(bin, 'node'))) return false
  return statSync(installation).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
}

/**
 * Installs the dependencies. npm shows only errors: on a Node older than the repository's own, it would warn about hundreds
 * of packages, which this Node never runs.
 */
function install() {
  const began = Date.now()
  process.stderr.write('Installing the dependencies of this repository, which takes a few minutes …')
  run('npm', ['ci', '--loglevel=error', '--no-audit', '--no-fund'], 'ignore')
  console.error(` done in ${Math.ceil((Date.now() - began) / 1000)} s`)
}

function run(command, args, stdout = 'inherit') {
  const { status, signal, error } = spawnSync(command, args, {
    cwd: root,
    env: environment,
    stdio: ['inherit', stdout, 'inherit'],
  })
  if (error) console.error(`${command} could not be started: ${error.message}`)
  if (status !== 0) process.exit(status ?? (signal ? 128 : 1))
}
