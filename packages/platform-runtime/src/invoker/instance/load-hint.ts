import { existsSync } from 'node:fs'
import { dirname, extname, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Advice about TypeScript syntax that Node cannot run, because Node only removes the types and compiles nothing. */
const replacements: { readonly [syntax: string]: string } = {
  enum: "Write an object instead of the enum: const Size = { small: 'small' } as const.",
  'parameter property': 'Declare the property as a field, and assign it in the constructor.',
  'namespace declaration': 'Write a module of its own instead of the namespace.',
  'import equals declaration': 'Write import … from.',
  'export assignment': 'Write export instead of export =.',
}

/**
 * Returns advice about the most frequent errors in loading a module: imports without an extension, packages that are not
 * installed, TypeScript that needs a compiler, and code of CommonJS. Returns undefined for any other error. Never throws.
 * @param meant the existing export that a missing one probably means, from `nearestExport()`
 */
export function loadHint(error: unknown, meant?: string): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, url } = error as { readonly code?: unknown; readonly url?: unknown }
  const { message } = error
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') {
    const syntax = /TypeScript (.+?) is not supported/.exec(message)?.[1] ?? ''
    const mend = Object.hasOwn(replacements, syntax) ? `${replacements[syntax]} ` : ''
    return `${mend}Node removes types, and compiles nothing: with "erasableSyntaxOnly" in tsconfig.json, the editor reports it.`
  }
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_UNSUPPORTED_DIR_IMPORT')
    return typeof url === 'string' ? nearFile(url, message) : packageHint(message)
  if (code === 'ERR_IMPORT_ATTRIBUTE_MISSING' && message.includes('json'))
    return `Write the import with { type: 'json' }: import data from './data.json' with { type: 'json' }.`
  if (error instanceof ReferenceError && /^(?:exports|module) is not defined in ES module/.test(message))
    return 'Write export const handler = … instead of exports.handler = … or module.exports = …, and import instead of require.'
  const { name } = missingExport(error) ?? {}
  if (name === undefined) return undefined
  // By convention, types have names in upper case.
  const mayBeType = /^[A-Z]/.test(name)
  if (meant !== undefined && !(mayBeType && meant.toLowerCase() === name.toLowerCase()))
    return `Did you mean ${meant}?`
  if (!mayBeType) return undefined
  return `If ${name} is a type, write import { type ${name} }: with "verbatimModuleSyntax" in tsconfig.json, the editor reports it.`
}

/**
 * Returns the name that a module exports and that is nearest to a missing export, if that is the error. The module is
 * loaded for that. Never throws.
 */
export async function nearestExport(error: unknown): Promise<string | undefined> {
  const { module, name } = missingExport(error) ?? {}
  if (module === undefined || name === undefined) return undefined
  try {
    // The stack begins with the importing file and the line.
    const importer = /^file:\/\/\S+?(?=:\d+$)/m.exec(String((error as Error).stack))?.[0]
    const isPath = /^\.{1,2}\//.test(module)
    if (isPath && importer === undefined) return undefined
    const exports = (await import(isPath ? new URL(module, importer).href : module)) as object
    // Instances of functions that can be loaded do not need this module.
    const { nearestName } = await import('../../nearest-name.ts')
    return nearestName(name, Object.keys(exports))
  } catch {
    return undefined
  }
}

function missingExport(error: unknown): { readonly module: string; readonly name: string } | undefined {
  if (!(error instanceof SyntaxError)) return undefined
  const [, module, name] = /module '(.+)' does not provide an export named '(.+)'/.exec(error.message) ?? []
  return module === undefined || name === undefined ? undefined : { module, name }
}

/** Returns the existing file that was most likely meant by the import. */
function nearFile(url: string, message: string): string | undefined {
  const importer = / imported from (.+)$/m.exec(message)?.[1]
  if (importer === undefined || !url.startsWith('file:')) return undefined
  const missing = fileURLToPath(url)
  const compiled = /^\.[cm]?js$/.test(extname(missing))
    ? [missing.replace(/js$/, 'ts'), missing.replace(/js$/, 'tsx')]
    : []
  const found = [
    ...compiled,
    ...['.ts', '.mts', '.js', '.mjs', '.json'].map(extension => missing + extension),
    ...['index.ts', 'index.js'].map(index => missing + sep + index),
  ].find(path => existsSync(path))
  if (found === undefined) return undefined
  const path = relative(dirname(importer), found).replaceAll(sep, '/')
  return `Write the import with the name of the file: '${path.startsWith('.') ? path : `./${path}`}'.`
}

function packageHint(message: string): string | undefined {
  const name = /Cannot find package '([^']+)'/.exec(message)?.[1]
  if (name === undefined) return undefined
  return /^[@~]\//.test(name)
    ? 'Node does not read "paths" of tsconfig.json: write a relative import, or use "imports" of package.json.'
    : `Run npm install, or add the package: npm install ${name}`
}
