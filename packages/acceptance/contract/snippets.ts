import { join } from 'node:path'
import ts from 'typescript-6'

/** The folder of the repository. */
export const root = join(import.meta.dirname, '../../..')

/** A TypeScript snippet in a page or a doc comment, and the file name under which it is checked. */
export interface Snippet {
  readonly page: string
  readonly line: number
  readonly code: string
  readonly file: string
}

/** Returns the first program on a page. Test snippets on the page import the handler of this program. */
function applicationOf(snippets: readonly Snippet[], page: string): Snippet | undefined {
  return snippets.find(each => each.page === page && /^export const handler\b/m.test(each.code))
}

/** The options with which the sources of the packages, and programs that import them, are compiled. */
export const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  customConditions: ['@signalbox/source'],
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  noUncheckedIndexedAccess: true,
  types: ['node'],
}

/** Returns the compile errors of each snippet, by the file name under which the snippet is checked. */
export function problemsOf(snippets: readonly Snippet[]): ReadonlyMap<string, readonly string[]> {
  const byFile = new Map(snippets.map(snippet => [snippet.file, snippet]))
  const runner = join(root, 'readme-vitest.d.ts')
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  const textOf = (name: string) =>
    name === runner ? "export { expect, test } from '@jest/globals'\n" : byFile.get(name)?.code
  host.fileExists = name => textOf(name) !== undefined || fileExists(name)
  host.readFile = name => textOf(name) ?? readFile(name)
  host.getSourceFile = (name, version, ...rest) => {
    const text = textOf(name)
    return text === undefined
      ? getSourceFile(name, version, ...rest)
      : ts.createSourceFile(name, text, version)
  }
  host.resolveModuleNameLiterals = (literals, importer, redirected, compilerOptions, source) =>
    literals.map(literal => {
      const name = literal.text
      const inSnippet = byFile.get(importer)
      // This repository uses jest, whose `expect` and `test` have the same types as in vitest.
      if (inSnippet !== undefined && name === 'vitest') return resolvedTo(runner)
      const mode = ts.getModeForUsageLocation(source, literal, compilerOptions)
      const found = ts.resolveModuleName(name, importer, compilerOptions, host, undefined, redirected, mode)
      if (inSnippet === undefined || found.resolvedModule !== undefined || !name.startsWith('./'))
        return found
      const application = applicationOf(snippets, inSnippet.page)
      return application === undefined ? found : resolvedTo(application.file)
    })
  const program = ts.createProgram([...byFile.keys()], options, host)
  return new Map(
    [...byFile.keys()].map(file => [
      file,
      ts
        .getPreEmitDiagnostics(program, program.getSourceFile(file))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    ]),
  )
}

function resolvedTo(file: string): ts.ResolvedModuleWithFailedLookupLocations {
  return {
    resolvedModule: { resolvedFileName: file, extension: file.endsWith('.d.ts') ? '.d.ts' : '.ts' },
  } as never
}
