import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import ts from 'typescript-6'

const root = join(import.meta.dirname, '../../..')

/** A TypeScript snippet in a README, and the file name under which it is checked. */
interface Snippet {
  readonly page: string
  readonly line: number
  readonly code: string
  readonly file: string
}

/** Packages that snippets import and that are too large to install for this test. */
const notInstalled = /from '(?:@aws-sdk\/client-ses|@pulumi|aws-cdk-lib|constructs|testcontainers)|sst\.aws/

/**
 * Returns all snippets of a README. A snippet from an example is checked in the folder of that example, so that
 * its relative imports are found.
 */
function snippetsOf(page: string): readonly Snippet[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```ts(?: (\S+)#\S+)?\n([\s\S]*?)\n```$/gm)].map(
    ({ 1: source, 2: code, index }) => {
      const line = text.slice(0, index).split('\n').length
      const folder = dirname(source ?? page)
      return { page, line, code: code!, file: join(root, folder, `readme-line-${line}.ts`) }
    },
  )
}

/** Returns the first program on a page. Test snippets on the page import the handler of this program. */
function applicationOf(snippets: readonly Snippet[], page: string): Snippet | undefined {
  return snippets.find(each => each.page === page && /^export const handler\b/m.test(each.code))
}

/** Returns the compile errors of each snippet, by the file name under which the snippet is checked. */
function problemsOf(snippets: readonly Snippet[]): ReadonlyMap<string, readonly string[]> {
  const options: ts.CompilerOptions = {
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

const pages = globSync(['packages/*/README.md', 'docs/**/*.md'], { cwd: root }).sort()
const snippets = pages.flatMap(snippetsOf).filter(({ code }) => !notInstalled.test(code))

describe('snippets of the READMEs of packages, and of the pages in docs', () => {
  const problems = problemsOf(snippets)

  it.each(snippets.map(({ page, line, file }) => [`${page}, line ${line}`, file]))(
    'the snippet in %s compiles with its own imports',
    (_place, file) => {
      expect(problems.get(file)).toEqual([])
    },
  )

  it('are found by this test, which counts more than 30', () => {
    expect(snippets.length).toBeGreaterThan(30)
  })

  it('do not compile without an import that they need', () => {
    const file = join(root, 'packages/queue/readme-line-1.ts')
    const wrong = { page: 'packages/queue/README.md', line: 1, code: 'queue({ onMessage: () => {} })', file }
    expect(problemsOf([wrong]).get(file)).toEqual(["Cannot find name 'queue'."])
  })
})
