import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { ImportDeclaration, Node, Statement, VariableDeclarator } from '@babel/types'
import * as ioTs from 'io-ts'
import { type Codec, evaluate, isCodec, type Lookup } from './evaluate.ts'
import { parsed } from './parsed.ts'

/** A parsed module. */
export interface CodecModule {
  readonly statements: readonly Statement[]
  /** Returns the value of a name in the module, if it can be found without running user code. */
  readonly lookup: Lookup
  /** The declarations of codecs at the top level of the module. */
  readonly codecs: ReadonlyMap<VariableDeclarator, Codec>
  /** The names that the module imports from io-ts. */
  readonly ioTsNames: ReadonlySet<string>
  /** The names that the module imports from packages of Signalbox, with the exported names. */
  readonly signalboxNames: ReadonlyMap<string, string>
  /** The other modules that were read. */
  readonly sources: ReadonlySet<string>
}

/**
 * Reads the imports of a module and the codecs at its top level. Returns undefined for code that cannot be parsed.
 */
export function codecModule(
  path: string,
  code: string,
  outer: readonly string[] = [],
): CodecModule | undefined {
  const file = parsed(path, code)
  if (!file) return undefined
  const values = new Map<string, unknown>()
  const ioTsNames = new Set<string>()
  const signalboxNames = new Map<string, string>()
  const sources = new Set<string>()
  const statements = file.program.body
  for (const statement of statements) {
    if (statement.type !== 'ImportDeclaration' || statement.importKind === 'type') continue
    const from = statement.source.value
    for (const [local, imported] of namesOf(statement)) {
      if (from === 'io-ts') {
        ioTsNames.add(local)
        values.set(local, imported === '*' ? ioTs : (ioTs as Readonly<Record<string, unknown>>)[imported])
      } else if (from.startsWith('@signalbox/') && from !== '@signalbox/codec/wire') {
        signalboxNames.set(local, imported)
      } else if (from.startsWith('.')) {
        const codec = importedCodec(resolve(dirname(path), from), imported, [...outer, path], sources)
        if (codec) values.set(local, codec)
      }
    }
  }
  const codecs = new Map<VariableDeclarator, Codec>()
  const lookup: Lookup = name => values.get(name)
  for (const declarator of statements.flatMap(constants)) {
    const { id, init } = declarator
    const value = init && id.type === 'Identifier' ? evaluate(init, lookup)?.value : undefined
    if (id.type !== 'Identifier' || !isCodec(value)) continue
    values.set(id.name, value)
    if (init!.type !== 'Identifier') codecs.set(declarator, value)
  }
  return { statements, lookup, codecs, ioTsNames, signalboxNames, sources }
}

/** Returns each local name of an import with the exported name. `*` stands for the whole module. */
function namesOf({ specifiers }: ImportDeclaration): readonly (readonly [string, string])[] {
  return specifiers.flatMap(specifier => {
    const { local, type } = specifier
    if (type === 'ImportNamespaceSpecifier') return [[local.name, '*'] as const]
    if (type === 'ImportDefaultSpecifier') return [[local.name, 'default'] as const]
    const { imported, importKind } = specifier
    if (importKind === 'type') return []
    return [[local.name, imported.type === 'Identifier' ? imported.name : imported.value] as const]
  })
}

/** Returns the declarators of the constants in a top-level statement. */
function constants(statement: Statement): readonly VariableDeclarator[] {
  const declaration: Node | null | undefined =
    statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  return declaration?.type === 'VariableDeclaration' && declaration.kind === 'const'
    ? declaration.declarations
    : []
}

/** Returns the codec that a module exports under this name. The module is read but never run. */
function importedCodec(
  path: string,
  name: string,
  outer: readonly string[],
  sources: Set<string>,
): Codec | undefined {
  const file = [path, `${path}.ts`, path.replace(/\.js$/, '.ts')].find(each => isReadable(each))
  if (file === undefined || outer.includes(file)) return undefined
  const code = readFileSync(file, 'utf8')
  const module = codecModule(file, code, outer)
  for (const source of [file, ...(module?.sources ?? [])]) sources.add(source)
  const isExported = module?.statements.some(
    statement =>
      statement.type === 'ExportNamedDeclaration' &&
      constants(statement).some(({ id }) => id.type === 'Identifier' && id.name === name),
  )
  const value = isExported ? module!.lookup(name) : undefined
  return isCodec(value) ? value : undefined
}

function isReadable(path: string): boolean {
  try {
    readFileSync(path)
    return true
  } catch {
    return false
  }
}
