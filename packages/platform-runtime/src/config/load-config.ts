import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Problem } from '@signalbox/codec'
import { loadHint, nearestExport } from '../invoker/instance/load-hint.ts'
import { userStack } from '../invoker/instance/user-stack.ts'
import type { RuntimeConfig } from './runtime-config.ts'

/** The names of configuration files, in the order in which they are tried. */
export const configNames = [
  'signalbox.config.ts',
  'signalbox.config.mts',
  'signalbox.config.js',
  'signalbox.config.mjs',
]

/** A configuration and its file. */
export interface LoadedConfig {
  readonly config: RuntimeConfig
  readonly file: string
  /** The folder of the file. */
  readonly root: string
  /** Returns a problem of the configuration with the place in the file from which it comes, for files in another language. */
  readonly explain?: (problem: Problem) => Problem
}

/**
 * Loads the configuration of a folder: the default export of its module, or the export `config`.
 * @param fileName the name of the file, if it is not one of the usual names
 * @throws Error that says what is missing, or why the file cannot be loaded
 */
export async function loadConfig(folder: string, fileName?: string): Promise<LoadedConfig> {
  const candidates = (fileName === undefined ? configNames : [fileName]).map(name => resolve(folder, name))
  const file = candidates.find(candidate => existsSync(candidate))
  if (file === undefined) {
    throw new Error(
      fileName === undefined
        ? `There is no ${configNames[0]} in ${folder}. Make one with: signalbox init`
        : `There is no ${fileName}.`,
    )
  }
  let exports: Record<string, unknown>
  try {
    exports = (await import(pathToFileURL(file).href)) as Record<string, unknown>
  } catch (error) {
    throw new Error(`${file} cannot be loaded. ${await explain(error, file)}`, { cause: error })
  }
  const config = exports.default ?? exports.config
  if (config === undefined) throw new Error(`${file} has neither a default export nor one named config.`)
  if (config instanceof Promise)
    throw new Error(`${file} exports a promise. Export its value: export default await …`)
  if (typeof config === 'function')
    throw new Error(`${file} exports a function. Export the object that it returns.`)
  return { config: config as RuntimeConfig, file, root: dirname(file) }
}

async function explain(error: unknown, file: string): Promise<string> {
  if (!(error instanceof Error)) return String(error)
  if ((error as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_FILE_EXTENSION')
    return `Node ${process.version} does not load TypeScript: use 22.18 or later, or a configuration in JavaScript.`
  const hint = loadHint(error, await nearestExport(error))
  const what = `${error.name}: ${error.message}${hint === undefined ? '' : `\n${hint}`}`
  // The stack of a syntax error shows the position before the message. The stack of a thrown error shows it after the
  // message.
  const [before = '', ...after] = userStack(error).split(error.message || '\n')
  const place = (before.replace(/.*$/, '') + after.join(error.message || '\n')).trim()
  if (place !== '') return `${what}\n    ${place}`
  // Node shows the position of a syntax error only when the error is not caught.
  return error instanceof SyntaxError ? `${what}. See where: node ${JSON.stringify(file)}` : what
}
