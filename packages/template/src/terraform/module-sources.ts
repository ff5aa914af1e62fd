import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isObject } from '@signalbox/codec'
import { type Block, type Body, type Expression, expressionOfJson, readHcl } from './hcl.ts'
import type { Module } from './plan.ts'

/** The greatest size of a file of Terraform that is read, in bytes. */
const mostBytes = 1024 * 1024

/** The blocks of a module, as far as they say what a plan does not. */
export type Source = readonly Block[]

/**
 * Returns a function with the blocks of modules. A plan names what an unknown value refers to, and not how: the files have that.
 * @param folder the folder of the root module
 */
export function moduleSources(folder: string): (module: Module) => Source {
  const found = new Map<Module, Source>()
  const manifest = modulesIn(folder)
  const folderOf = (module: Module): string | undefined => {
    if (module.parent === undefined) return folder
    const known = manifest.get(module.calls.map(({ name }) => name).join('.'))
    if (known !== undefined) return resolve(folder, known)
    const calls = module.parent.configuration.module_calls
    const call = isObject(calls) ? calls[module.calls.at(-1)!.name] : undefined
    const source = isObject(call) ? call.source : undefined
    const parent = folderOf(module.parent)
    return typeof source === 'string' && source.startsWith('.') && parent !== undefined
      ? resolve(parent, source)
      : undefined
  }
  return module => {
    const known = found.get(module)
    if (known !== undefined) return known
    const own = folderOf(module)
    const source = own === undefined ? [] : blocksIn(own)
    found.set(module, source)
    return source
  }
}

/** Returns the folders of modules by their keys, as `terraform init` has noted them. */
function modulesIn(folder: string): ReadonlyMap<string, string> {
  const file = join(folder, '.terraform/modules/modules.json')
  if (!existsSync(file)) return new Map()
  try {
    const { Modules = [] } = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly Modules?: readonly { readonly Key: string; readonly Dir: string }[]
    }
    return new Map(Modules.map(({ Key, Dir }) => [Key, Dir]))
  } catch {
    return new Map()
  }
}

function blocksIn(folder: string): Source {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return []
  return readdirSync(folder)
    .filter(name => name.endsWith('.tf') || name.endsWith('.tf.json'))
    .sort()
    .flatMap(name => {
      const file = join(folder, name)
      if (statSync(file).size > mostBytes) return []
      const text = readFileSync(file, 'utf8')
      try {
        return name.endsWith('.json') ? jsonBlocks(JSON.parse(text)) : readHcl(text).blocks
      } catch (error) {
        // Without this file, some values stay unknown.
        if (error instanceof SyntaxError) return []
        throw error
      }
    })
}

/** The number of labels of each type of block that is read. */
const labels: { readonly [type: string]: number } = { resource: 2, data: 2, module: 1, output: 1, locals: 0 }

/** Returns the blocks of a file in Terraform's JSON syntax. */
function jsonBlocks(document: unknown): Source {
  const blocksOf = (type: string, value: unknown, names: readonly string[]): readonly Block[] => {
    if (Array.isArray(value)) return value.flatMap(each => blocksOf(type, each, names))
    if (!isObject(value)) return []
    if (names.length < labels[type]!)
      return Object.entries(value).flatMap(([name, each]) => blocksOf(type, each, [...names, name]))
    const attributes = Object.entries(value).map(([name, each]) => [name, expressionOfJson(each)] as const)
    return [{ type, labels: names, attributes: new Map(attributes), blocks: [] }]
  }
  return isObject(document) ? Object.keys(labels).flatMap(type => blocksOf(type, document[type], [])) : []
}

/** Returns the block of a module with a type and labels. */
export function blockOf(source: Source, type: string, ...names: readonly string[]): Block | undefined {
  return source.find(block => block.type === type && names.every((name, at) => block.labels[at] === name))
}

/** Returns the expression of a local value. */
export function localOf(source: Source, name: string): Expression | undefined {
  return source.find(block => block.type === 'locals' && block.attributes.has(name))?.attributes.get(name)
}

/** Returns what a body says for an attribute, or its blocks of the name. */
export function partOf(body: Body, name: string): Expression | readonly Body[] | undefined {
  const attribute = body.attributes.get(name)
  if (attribute !== undefined) return attribute
  const blocks = body.blocks.filter(({ type }) => type === name)
  return blocks.length === 0 ? undefined : blocks
}
