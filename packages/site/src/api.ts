import { globSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import ts from 'typescript-6'
import { leftOut, repository } from './pages.ts'

/** A package whose entries people import. */
export interface ApiPackage {
  /** The name of the package, such as `@signalbox/queue`. */
  readonly name: string
  /** The name of its folder, such as `queue`. */
  readonly folder: string
  readonly entries: readonly ApiEntry[]
}

/** An entry of a package, and what it exports. */
interface ApiEntry {
  /** What an import names, such as `@signalbox/queue/testing`. */
  readonly name: string
  readonly exports: readonly ApiExport[]
}

/** An export: its name, what it is, and the declarations that say so. */
export interface ApiExport {
  readonly name: string
  readonly symbol: ts.Symbol
  readonly declarations: readonly ts.Declaration[]
}

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<
    Record<string, string | { readonly '@signalbox/source'?: string; readonly default?: string }>
  >
}

/** Returns the folders of the packages whose READMEs the site shows and that have code to import, by their names. */
export function apiFolders(): ReadonlyMap<string, Manifest> {
  const found = globSync('packages/*/package.json', { cwd: repository })
    .filter(path => !leftOut.some(pattern => matchesGlob(path, pattern)))
    .sort()
    .map(path => [dirname(path), JSON.parse(readFileSync(join(repository, path), 'utf8'))] as const)
  return new Map(found.filter(([, manifest]) => manifest.private !== true && manifest.exports?.['.']))
}

/** Reads the exports of all packages from their sources, with the compiler that knows their types. */
export function readApi(): { readonly packages: readonly ApiPackage[]; readonly checker: ts.TypeChecker } {
  const folders = [...apiFolders()].map(([folder, { name, exports = {} }]) => ({
    name,
    folder: folder.replace('packages/', ''),
    entries: Object.entries(exports).flatMap(([path, entry]) =>
      typeof entry === 'string' || entry.default === undefined || entry['@signalbox/source'] === undefined
        ? []
        : [{ name: name + path.slice(1), file: join(repository, folder, entry['@signalbox/source']) }],
    ),
  }))
  const program = ts.createProgram(
    folders.flatMap(({ entries }) => entries.map(({ file }) => file)),
    {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      allowImportingTsExtensions: true,
      customConditions: ['@signalbox/source'],
      jsx: ts.JsxEmit.Preserve,
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      types: ['node'],
      // Without this option, the compiler would also read the types of browsers.
      lib: ['lib.es2023.d.ts', 'lib.es2024.string.d.ts'],
    },
  )
  const checker = program.getTypeChecker()
  const exportsOf = (file: string): readonly ApiExport[] => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)
    if (module === undefined) return []
    return checker
      .getExportsOfModule(module)
      .filter(({ name }) => name !== 'default')
      .map(exported => {
        const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
        return { name: exported.name, symbol, declarations: symbol.declarations ?? [] }
      })
      .sort((a, b) => a.name.localeCompare(b.name, 'en'))
  }
  const packages = folders.map(({ entries, ...rest }) => ({
    ...rest,
    entries: entries.map(({ name, file }) => ({ name, exports: exportsOf(file) })),
  }))
  return { packages, checker }
}
