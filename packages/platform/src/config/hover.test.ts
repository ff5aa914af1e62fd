import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { configFields, type Field } from '@signalbox/platform-runtime/config'
import ts from 'typescript-6'
import { program } from '../source-modules.ts'

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.es2024.string.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  customConditions: ['@signalbox/source'],
  noEmit: true,
  strict: true,
  types: ['node'],
}

interface Shown {
  text: string
  /** The place of each key, and its position in the text. */
  readonly keys: (readonly [place: string, position: number])[]
}

/** Writes an object literal with all keys, as users write it. A map has an entry with the name `one`, and a list
 * has one object. */
function write(shown: Shown, fields: Readonly<Record<string, Field>>, place: string): void {
  shown.text += '{'
  for (const [name, { rule }] of Object.entries(fields)) {
    shown.text += ' '
    shown.keys.push([`${place}${name}`, shown.text.length])
    shown.text += `${name}: `
    if (rule.fields === undefined) shown.text += 'undefined as never,'
    else {
      const [before, after] =
        rule.names !== undefined
          ? ['{ one: ', ' }']
          : rule.name.startsWith('a list of ')
            ? ['[', ']']
            : ['', '']
      shown.text += before
      write(shown, rule.fields, `${place}${name}.`)
      shown.text += `${after},`
    }
  }
  shown.text += '}'
}

it('an editor describes each key of an object in defineConfig()', () => {
  const shown: Shown = {
    text: "import { defineConfig } from './define-config.ts'\nexport const config = defineConfig(",
    keys: [],
  }
  write(
    shown,
    configFields(
      program.modules.map(({ config }) => config),
      Object.keys(program.dialects),
    ),
    '',
  )
  shown.text += ')\n'
  const file = fileURLToPath(new URL('./hover.shown.ts', import.meta.url))
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot(name) {
      const text = name === file ? shown.text : ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => import.meta.dirname,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: name => name === file || ts.sys.fileExists(name),
    readFile: name => (name === file ? shown.text : ts.sys.readFile(name)),
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  })
  const silent = shown.keys.filter(([, position]) => {
    const { documentation } = service.getQuickInfoAtPosition(file, position) ?? {}
    return ts.displayPartsToString(documentation ?? []) === ''
  })
  // Mail has maxConnectionsPerAddress instead, and refuses this key.
  expect(silent.map(([place]) => place)).toEqual(['mail.limits.connections'])
  expect(shown.keys.length).toBeGreaterThan(100)
})
