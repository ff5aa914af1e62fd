import { existsSync, readFileSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { isObject } from '@signalbox/codec'
import { wrongAt } from '../document/template-error.ts'
import { filesIn } from '../document/zip.ts'
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
  /** Keeps code that is in the template itself or in an archive, and returns the folder that has the code of the function. */
  readonly keep: (name: string, file: string, code: string | Uint8Array, isExecutable?: boolean) => string
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
  const dot = handler.lastIndexOf('.')
  if (kind !== 'other' && dot < 1)
    throw wrongAt(
      [...properties.place, 'Handler'],
      'a file and its export, such as app.handler',
      handler || 'nothing',
    )
  if (kind === 'python') return { command: folders.python(folder), export: handler, cwd }
  if (kind === 'other') return { command: ['./bootstrap'], ...(handler !== '' && { export: handler }), cwd }
  const [stem, exported] = [handler.slice(0, dot), handler.slice(dot + 1)]
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

/** Returns the folder with the files of an archive, or undefined with a warning. */
function unpacked(
  { id, name }: Resource,
  archive: string,
  folders: CodeFolders,
  warnings: Warnings,
): string | undefined {
  if (!isFile(archive)) {
    warnings.missing(`${id} does not run: there is no ${pathFrom(folders.root, archive)}. Build it first.`)
    return undefined
  }
  try {
    let folder: string | undefined
    for (const { path, content, isExecutable } of filesIn(readFileSync(archive)))
      folder = folders.keep(name, path, content, isExecutable)
    if (folder !== undefined) return folder
    warnings.missing(`${id} does not run: ${pathFrom(folders.root, archive)} has no files.`)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    warnings.missing(
      `${id} does not run: ${pathFrom(folders.root, archive)} cannot be read. ${error.message}`,
    )
  }
  return undefined
}

function folderOf(
  resource: Resource,
  kind: 'node' | 'python' | 'other',
  folders: CodeFolders,
  warnings: Warnings,
): string | undefined {
  const { id, name, properties, metadata } = resource
  const codeFolder = (path: string) =>
    /\.zip$/i.test(path) && !isFolder(path) ? unpacked(resource, path, folders, warnings) : path
  const asset = metadata['aws:asset:path']
  if (typeof asset === 'string') {
    properties.object('Code')
    return codeFolder(resolve(folders.template, asset))
  }
  const code = properties.value('Code')
  if (typeof code === 'string' && !code.includes('://')) return codeFolder(resolve(folders.template, code))
  // Without its metadata, an asset has its hash as its name in the cloud, too.
  const hash = isObject(code) ? /(?:^|\/)([\da-f]{64})\.zip$/.exec(String(code.S3Key))?.[1] : undefined
  const folder = hash && resolve(folders.template, `asset.${hash}`)
  if (folder && isFolder(folder)) return folder
  const inline = isObject(code) ? code.ZipFile : undefined
  if (typeof inline === 'string' && kind !== 'other') return folders.keep(name, inlineFile[kind], inline)
  warnings.missing(`${id} does not run: its code is not in a folder of this machine.`)
  return undefined
}
