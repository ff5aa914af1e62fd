import { execFileSync } from 'node:child_process'
import { delimiter, dirname } from 'node:path'

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

/** Returns whether npm has failed because the registry cannot be reached. */
export function isOffline({ stderr }) {
  return /\b(ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN)\b/.test(stderr)
}
