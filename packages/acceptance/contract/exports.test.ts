import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import ts from 'typescript-6'
import { runExamples } from './run-examples.ts'
import { options, problemsOf, root, type Snippet } from './snippets.ts'

/**
 * The entries whose functions users do not call, and who calls them. An editor need not show an example of a function
 * that only these entries export.
 */
const notForUsers: readonly (readonly [entry: RegExp, caller: string])[] = [
  [/^@signalbox\/platform-(?!postgres)/, 'the platform, which is made of these packages'],
  [/^@signalbox\/console$/, 'the platform'],
  [/^@signalbox\/telemetry\/(?:masking|otlp)$/, 'the platform, and telemetry() itself'],
  [/^@signalbox\/codec\/ahead$/, 'the builds of our packages and of the bundler, which write guards'],
  [/^@signalbox\/codec\/ready$/, 'the code that these builds write, and our packages'],
]

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports: Readonly<
    Record<string, { readonly '@signalbox/source'?: string; readonly default?: string }>
  >
}

/** Returns the sources of the entries that users can import, by the names of the entries. */
function entryFiles(): ReadonlyMap<string, string> {
  const entries = globSync('packages/*/package.json', { cwd: root }).flatMap(path => {
    const manifest = JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest
    if (manifest.private) return []
    return Object.entries(manifest.exports).flatMap(([name, entry]) => {
      const source = entry['@signalbox/source']
      if (source === undefined || entry.default === undefined) return []
      return [[manifest.name + name.slice(1), join(root, dirname(path), source)] as const]
    })
  })
  return new Map(entries)
}

/** An exported function, and what an editor shows of it. */
interface ExportedFunction {
  readonly name: string
  readonly entries: readonly string[]
  readonly text: string
  readonly examples: readonly string[]
  readonly file: string
  readonly line: number
}

/** Returns each exported function once, with the entries that export it. */
function exportedFunctions(): readonly ExportedFunction[] {
  const files = entryFiles()
  const program = ts.createProgram([...files.values()], options)
  const checker = program.getTypeChecker()
  const found = new Map<ts.Symbol, ExportedFunction>()
  for (const [entry, file] of files) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)
    for (const exported of module === undefined ? [] : checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      const isFunction =
        (symbol.flags & ts.SymbolFlags.Value) !== 0 &&
        checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0
      if (!isFunction) continue
      const declaration = symbol.declarations![0]!
      const source = declaration.getSourceFile()
      found.set(symbol, {
        name: exported.name,
        entries: [...(found.get(symbol)?.entries ?? []), entry],
        text: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
        examples: symbol
          .getJsDocTags(checker)
          .filter(({ name }) => name === 'example')
          .map(({ text }) => ts.displayPartsToString(text)),
        file: source.fileName,
        line: source.getLineAndCharacterOfPosition(declaration.getStart()).line + 1,
      })
    }
  }
  return [...found.values()]
}

describe('an editor', () => {
  const functions = exportedFunctions()
  const named = (each: readonly ExportedFunction[]) =>
    each.map(({ name, entries }) => `${entries[0]}: ${name}`)
  const isForUsers = ({ entries }: ExportedFunction) =>
    entries.some(entry => !notForUsers.some(([pattern]) => pattern.test(entry)))

  it('describes each function that a package exports', () => {
    expect(named(functions.filter(({ text }) => text === ''))).toEqual([])
  })

  it('shows an example of each function that users call', () => {
    const without = functions.filter(each => isForUsers(each) && each.examples.length === 0)
    expect(named(without)).toEqual([])
  })

  it.each(notForUsers)('finds functions in %s, whose caller is %s', pattern => {
    expect(functions.some(({ entries }) => entries.some(entry => pattern.test(entry)))).toBe(true)
  })

  const snippets = functions.flatMap(({ file, line, name, examples }) =>
    examples.flatMap((text, position): readonly Snippet[] => {
      const code = /```ts\n([\s\S]*?)\n```/.exec(text)?.[1]
      const path = join(dirname(file), `${name}-line-${line}-example-${position}.ts`)
      return code === undefined || !/^import /m.test(code) ? [] : [{ page: file, line, code, file: path }]
    }),
  )

  it('shows examples that compile, if they are programs with their own imports', () => {
    const problems = [...problemsOf(snippets)].filter(([, each]) => each.length > 0)
    expect(problems.map(([file, each]) => [file.slice(root.length + 1), ...each])).toEqual([])
    expect(snippets.length).toBeGreaterThan(150)
  })

  it('shows the values in examples that their expressions have', () => {
    const { values, problems } = runExamples(snippets)
    expect(problems).toEqual([])
    expect(values).toBeGreaterThan(120)
  })

  it('would not show a wrong value', () => {
    const code = "import { nearest } from '@signalbox/codec'\n\nnearest('totl', ['total']) // 'id'"
    const wrong: Snippet = { page: join(root, 'wrong.ts'), line: 1, code, file: 'wrong.ts' }
    const { values, problems } = runExamples([wrong])
    expect([values, problems[0]]).toEqual([1, expect.stringMatching(/^wrong\.ts, line 1: Expected values/)])
  })
})
