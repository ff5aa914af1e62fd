import type { Starter } from '@signalbox/platform-runtime'
import { configNames } from '@signalbox/platform-runtime/command-line'
import type { Language } from './languages.ts'
import { functionLine, moduleKey } from './project-files.ts'

/** What `signalbox init --add` does in a project that exists. */
export interface Additions {
  /** The contents of the files that are missing, by path. */
  readonly files: { readonly [path: string]: string }
  /** What the user has to change in files that are there, each with the name of the file first. */
  readonly changes: readonly string[]
}

type Manifest = { readonly [field: string]: unknown }

/** Returns whether a project runs JavaScript files as ES modules. */
export const hasModules = (manifest: Manifest) => manifest.type === 'module'

/**
 * Reads the package.json of a project.
 * @throws Error if it is not a JSON object
 */
export function readManifest(text: string): Manifest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The error below names the file.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('package.json is not a JSON object. Mend it before init --add.')
  return value as Manifest
}

/** Returns the name of the test runner that a project uses, among the known ones. */
export function runnerOf(manifest: Manifest, known: readonly string[]): string | undefined {
  const used = { ...fieldsOf(manifest.dependencies), ...fieldsOf(manifest.devDependencies) }
  return known.find(name => Object.hasOwn(used, name))
}

/**
 * Returns the files of a new project that an existing project lacks, and the changes that its own files need.
 * @param all the files of a new project
 * @param language the language of the functions, or undefined for TypeScript
 * @param textOf returns the text of a file of the existing project, or undefined if it is not there
 */
export function additions(
  all: { readonly [path: string]: string },
  starters: readonly Starter[],
  language: Language | undefined,
  textOf: (path: string) => string | undefined,
): Additions {
  const files: Record<string, string> = {}
  const changes: string[] = []
  for (const [path, content] of Object.entries(all)) {
    const kept = keptFor(path, textOf)
    if (kept === undefined) files[path] = content
    else changes.push(...changesOf(kept, content, textOf(kept)!, starters, language))
  }
  return { files, changes }
}

/** Returns the file of the project that stands where init would write a file. */
function keptFor(path: string, textOf: (path: string) => string | undefined): string | undefined {
  // A test belongs to its function, and a project has one configuration, whatever its extension is.
  const places = [
    path,
    path.replace(/\.test(\.m?ts)$/, '$1'),
    ...(path.startsWith('signalbox.config.') ? configNames : []),
  ]
  return places.find(place => textOf(place) !== undefined)
}

function changesOf(
  path: string,
  wanted: string,
  own: string,
  starters: readonly Starter[],
  language: Language | undefined,
): readonly string[] {
  const added = starters.filter(
    ({ functionName }) => !own.includes(language?.keysOf(functionName) ?? `functions/${functionName}.`),
  )
  const change = (text: string) => [`${path}\n${text.trimEnd().replaceAll(/^(?=.)/gm, '  ')}`]
  if (path === 'package.json') {
    const missing = missingIn(readManifest(own), JSON.parse(wanted) as Manifest)
    return missing === undefined ? [] : change(`add\n${JSON.stringify(missing, null, 2)}`)
  }
  if (path === 'tsconfig.json') {
    const { compilerOptions } = JSON.parse(wanted) as { readonly compilerOptions: object }
    return change(`the new files need these compilerOptions\n${JSON.stringify(compilerOptions, null, 2)}`)
  }
  if (path.startsWith('signalbox.config.')) {
    if (added.length === 0) return []
    const extension = /'\.\/functions\/[\w-]+(\.\w+)'/.exec(wanted)?.[1] ?? '.ts'
    const keysOf = language?.keysOf ?? (name => moduleKey(name, extension))
    const functions = added
      .map(({ functionName }) => functionLine(functionName, keysOf(functionName)))
      .join('')
    return change(`add\n${`functions: {\n${functions}},\n`}${added.map(({ config }) => config).join('')}`)
  }
  if (/^build\./.test(path))
    return added.length === 0 ? [] : change(`bundle ${added.map(entryOf(wanted)).join(', ')}`)
  if (path === 'template.yaml')
    return change(`add what is missing of\n${wanted.slice(wanted.indexOf('Resources:'))}`)
  if (path === '.gitignore' || path === '.npmrc') {
    const lines = wanted
      .trim()
      .split('\n')
      .filter(line => !own.split(/\r?\n/).includes(line))
    return lines.length === 0 ? [] : change(`add\n${lines.join('\n')}`)
  }
  // A function, a test and a README stay as they are.
  return []
}

const entryOf = (wanted: string) => {
  const extension = /'functions\/[\w-]+(\.\w+)'/.exec(wanted)?.[1] ?? '.ts'
  return ({ functionName }: Starter) => `functions/${functionName}${extension}`
}

/** Returns the name that a script of a new project has beside those of an existing one. */
export function scriptName(name: string, own: Manifest, wanted: Manifest): string {
  const scripts = fieldsOf(own.scripts)
  const isTaken = Object.hasOwn(scripts, name) && scripts[name] !== fieldsOf(wanted.scripts)[name]
  return isTaken ? `functions:${name}` : name
}

/** Returns what a manifest lacks of another one, or undefined if it lacks nothing. */
function missingIn(own: Manifest, wanted: Manifest): Manifest | undefined {
  const missing: Record<string, unknown> = {}
  const scripts = fieldsOf(own.scripts)
  const packages = { ...fieldsOf(own.dependencies), ...fieldsOf(own.devDependencies) }
  const groups = {
    // A script whose name is taken gets a name of its own.
    scripts: Object.entries(fieldsOf(wanted.scripts))
      .filter(([name, script]) => scripts[name] !== script)
      .map(([name, script]) => [scriptName(name, own, wanted), script]),
    dependencies: lackingIn(packages, wanted.dependencies),
    devDependencies: lackingIn(packages, wanted.devDependencies),
    allowScripts: lackingIn(fieldsOf(own.allowScripts), wanted.allowScripts),
  }
  for (const [group, lacking] of Object.entries(groups))
    if (lacking.length > 0) missing[group] = Object.fromEntries(lacking)
  if (wanted.jest !== undefined && own.jest === undefined) missing.jest = wanted.jest
  return Object.keys(missing).length === 0 ? undefined : missing
}

const lackingIn = (own: object, wanted: unknown) =>
  Object.entries(fieldsOf(wanted)).filter(([name]) => !Object.hasOwn(own, name))

function fieldsOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as { readonly [name: string]: unknown }) : {}
}
