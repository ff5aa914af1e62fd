import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from '@jest/globals'
import ts from 'typescript-6'

const root = join(import.meta.dirname, '../../..')

interface Manifest {
  readonly private?: boolean
  readonly exports: Readonly<
    Record<string, { readonly '@signalbox/source'?: string; readonly default?: string }>
  >
}

/** Returns the sources of the entries that users import. */
function entryFiles(): readonly string[] {
  return globSync('packages/*/package.json', { cwd: root }).flatMap(path => {
    const manifest = JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest
    if (manifest.private) return []
    return Object.values(manifest.exports).flatMap(entry => {
      const source = entry['@signalbox/source']
      return source === undefined || entry.default === undefined ? [] : [join(root, dirname(path), source)]
    })
  })
}

it('an editor describes each function that a package exports', () => {
  const files = entryFiles()
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    customConditions: ['@signalbox/source'],
    noEmit: true,
    strict: true,
    types: ['node'],
  })
  const checker = program.getTypeChecker()
  const silent = files.flatMap(file => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)
    if (module === undefined) return []
    return checker.getExportsOfModule(module).flatMap(exported => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      const isFunction =
        (symbol.flags & ts.SymbolFlags.Value) !== 0 &&
        checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0
      const isSilent = symbol.getDocumentationComment(checker).length === 0
      return isFunction && isSilent ? [`${file.slice(root.length + 1)}: ${exported.name}`] : []
    })
  })
  expect(silent).toEqual([])
})
