import { existsSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { isObject } from '@signalbox/codec'
import type { Resource } from '../resources/stack.ts'
import type { Warnings } from '../resources/warnings.ts'
import { defined, type Part } from './config.ts'

/** Where the code of a template is. */
export interface CodeFolders {
  /** The folder of the configuration, to which its paths are relative. */
  readonly root: string
  /** The folder of the template, to which the template's paths are relative. */
  readonly template: string
  /** Returns the program that calls functions in Python, and its arguments, for a function in a folder. */
  readonly python: (folder: string) => readonly string[]
  /** Keeps code that is in the template itself, and returns the folder that has it. */
  readonly keep: (logicalId: string, file: string, code: string) => string
}

const moduleExtensions = ['.mjs', '.js', '.cjs', '.mts', '.ts', '.cts']

/** The file names that code in a template has in the cloud. */
const inlineFile = { node: 'index.cjs', python: 'index.py' }

/**
 * Returns the options of a function that say how it runs, or undefined when it cannot run here. Its code is in a folder that
 * the template names, in the template itself, or in an asset of CDK.
 */
export function codeOf(resource: Resource, folders: CodeFolders, warnings: Warnings): Part | undefined {
  const { id, properties } = resource
  const runtime = properties.text('Runtime') ?? ''
  const handler = properties.text('Handler') ?? ''
  const kind = runtime.startsWith('nodejs') ? 'node' : runtime.startsWith('python') ? 'python' : 'other'
  if (kind === 'other' && !/^provided(?:\.|$)/.test(runtime)) {
    const why =
      properties.text('PackageType') === 'Image'
        ? 'container images do not run here'
        : `there is no ${runtime || 'runtime'} here`
    warnings.missing(`${id} does not run: ${why}. A \`command\` in a configuration can run it.`)
    return undefined
  }
  const folder = folderOf(resource, kind, folders, warnings)
  if (folder === undefined) return undefined
  const cwd = pathFrom(folders.root, folder)
  const needs = kind === 'other' ? 'bootstrap' : ''
  if (kind !== 'node' && !(needs === '' ? isFolder(folder) : isFile(resolve(folder, needs)))) {
    warnings.missing(
      `${id} does not run: ${cwd} is not a folder${needs && ` with the program ${needs}`}. Build it first.`,
    )
    return undefined
  }
  if (kind === 'python') return { command: folders.python(folder), export: handler, cwd }
  if (kind === 'other') return { command: ['./bootstrap'], ...(handler !== '' && { export: handler }), cwd }
  const dot = handler.lastIndexOf('.')
  const [stem, exported] = dot < 0 ? [handler, 'handler'] : [handler.slice(0, dot), handler.slice(dot + 1)]
  const built = entryPointOf(resource, stem)
  const candidates = [
    ...(built === undefined ? [] : [built]),
    ...moduleExtensions.map(extension => stem + extension),
  ]
  const file = candidates.find(each => isFile(resolve(folder, each)))
  if (file === undefined) {
    warnings.missing(
      `${id} does not run: there is no ${stem}.js, .mjs, .cjs or .ts in ${pathFrom(folders.root, folder)}. Build it first.`,
    )
    return undefined
  }
  return defined({
    module: pathFrom(folders.root, resolve(folder, file)),
    export: exported === 'handler' ? undefined : exported,
  })
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

function pathFrom(root: string, path: string): string {
  const found = relative(root, path).replaceAll('\\', '/')
  return found.startsWith('../') ? found : `./${found}`
}

/** Returns the source from which the template's own build settings make a handler's file. */
function entryPointOf({ metadata }: Resource, stem: string): string | undefined {
  const settings = metadata.BuildMethod === 'esbuild' ? metadata.BuildProperties : undefined
  const points =
    isObject(settings) && Array.isArray(settings.EntryPoints) ? settings.EntryPoints.map(String) : []
  const nameOf = (path: string) => path.replace(/^.*\//, '').replace(/\.[cm]?[jt]sx?$/, '')
  return points.find(each => nameOf(each) === nameOf(stem))
}

function folderOf(
  { id, properties, metadata }: Resource,
  kind: 'node' | 'python' | 'other',
  folders: CodeFolders,
  warnings: Warnings,
): string | undefined {
  const asset = metadata['aws:asset:path']
  if (typeof asset === 'string') {
    properties.object('Code')
    return resolve(folders.template, asset)
  }
  const code = properties.value('Code')
  if (typeof code === 'string' && !code.includes('://')) return resolve(folders.template, code)
  const inline = isObject(code) ? code.ZipFile : undefined
  if (typeof inline === 'string' && kind !== 'other') return folders.keep(id, inlineFile[kind], inline)
  warnings.missing(`${id} does not run: its code is not in a folder of this machine.`)
  return undefined
}
