import { execFile, execFileSync } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { promisify } from 'node:util'

// npm and its scripts use the same Node as this file.
export const env = {
  ...process.env,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
  NODE_OPTIONS: '',
}

/** Runs a program to its end, and returns its output. Throws an error with `stdout` and `stderr` when it fails. */
export function run(command, options, cwd) {
  const stdio = ['ignore', 'pipe', 'pipe']
  return execFileSync(command, options, { cwd, env, stdio, encoding: 'utf8', maxBuffer: 1 << 28 })
}

/** As `run`, but lets other programs run at the same time. */
export async function runBeside(command, options, cwd) {
  const { stdout } = await promisify(execFile)(command, options, { cwd, env, maxBuffer: 1 << 28 })
  return stdout
}

/** Returns whether npm has failed because the registry cannot be reached. */
export function isOffline({ stderr }) {
  return /\b(ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN)\b/.test(stderr)
}
