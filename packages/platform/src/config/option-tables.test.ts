import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { configFields, type Field } from '@signalbox/platform-runtime/config'
import ts from 'typescript-6'
import { type Config, program } from '../source-modules.ts'
import { storageFields } from '../storage/postgres-storage.ts'

type Fields = { readonly [key: string]: Field }

/** A key of the configuration, with the doc comment that editors show. */
interface Option {
  readonly name: string
  readonly field: Field
  readonly meaning: string
}

/** A table of options. Its title is the place of the object, such as `queues.NAME`. */
interface OptionTable {
  readonly title: string
  readonly options: readonly Option[]
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  customConditions: ['@signalbox/source'],
  noEmit: true,
  strict: true,
  types: [],
}

/** The compiler finds the types below by this name. */
type Whole = Config
const whole = 'Whole' satisfies keyof { readonly Whole: Whole }

const compiler = ts.createProgram([import.meta.filename], options, hostOfTypes())
const checker = compiler.getTypeChecker()

/**
 * Returns a host that reads only files of this repository and of io-ts. In this file, and where a
 * file lists what its package exports, it follows only imports and exports of types. Doc comments need no other files, and
 * the program has a sixth of the files.
 */
function hostOfTypes(): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  host.resolveModuleNameLiterals = (literals, importer, redirected, compilerOptions, source) => {
    const read = literals.filter(({ text, parent }) => {
      const isList = /\/(?:src\/index|source-modules|option-tables\.test)\.ts$/.test(importer)
      return /^(?:\.|@signalbox\/|io-ts$)/.test(text) && (!isList || givesTypes(parent))
    })
    const names = new Set(read.map(({ text }) => text))
    return literals.map(literal => {
      if (!names.has(literal.text)) return { resolvedModule: undefined }
      const mode = ts.getModeForUsageLocation(source, literal, compilerOptions)
      return ts.resolveModuleName(literal.text, importer, compilerOptions, host, undefined, redirected, mode)
    })
  }
  return host
}

/** Returns whether an import or export has the word `type`. */
function givesTypes(declaration: ts.Node): boolean {
  const [clause, names] = ts.isExportDeclaration(declaration)
    ? [declaration, declaration.exportClause]
    : [(declaration as ts.ImportDeclaration).importClause, undefined]
  const list = names ?? (clause as ts.ImportClause | undefined)?.namedBindings
  if (clause?.isTypeOnly) return true
  return list !== undefined && 'elements' in list && list.elements.some(each => each.isTypeOnly)
}

function configType(): ts.Type {
  const { statements } = compiler.getSourceFile(import.meta.filename)!
  const alias = statements.filter(ts.isTypeAliasDeclaration).find(({ name }) => name.text === whole)!
  return checker.getTypeFromTypeNode(alias.type)
}

/** Returns the type of an object with a table inside a value: of the value, or of an entry of its list or map. */
function objectIn(type: ts.Type, known: Fields): ts.Type | undefined {
  const parts = type.isUnion() ? type.types : [type]
  for (const part of parts) {
    if (Object.keys(known).every(key => part.getProperty(key) !== undefined)) return part
    const entry =
      checker.getIndexTypeOfType(part, ts.IndexKind.Number) ??
      checker.getIndexTypeOfType(part, ts.IndexKind.String)
    const found = entry && objectIn(entry, known)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the text of a doc comment with links to the pages that it names, from a page in docs/platform. */
function linked(text: string): string {
  return text.replaceAll(/\bdocs\/([\w/-]+\.md)#([\w.-]*\w)/g, '[$2](../$1#$2)')
}

function tablesOf(title: string, fields: Fields, type: ts.Type): readonly OptionTable[] {
  const options = Object.entries(fields).map(([name, field]) => {
    const symbol = type.getProperty(name)
    const comment = ts.displayPartsToString(symbol?.getDocumentationComment(checker) ?? [])
    // A cell has no list: the entries follow each other as sentences.
    return { name, field, meaning: linked(comment.replaceAll(/\n- /g, ' ').replaceAll(/\s+/g, ' ')) }
  })
  const inner = Object.entries(fields).flatMap(([name, { rule }]) => {
    const known: Fields | undefined = name === 'storage' ? storageFields : rule.fields
    // The page describes once what all listeners have.
    const isShared = name === 'tls' || (name === 'limits' && known?.signUps === undefined)
    if (known === undefined || isShared) return []
    const place = `${title === '' ? '' : `${title}.`}${name}${rule.names === undefined ? '' : '.NAME'}`
    const symbol = type.getProperty(name)!
    const found = objectIn(checker.getNonNullableType(checker.getTypeOfSymbol(symbol)), known)
    return found === undefined ? [] : tablesOf(place, known, found)
  })
  return [{ title, options }, ...inner]
}

const sources = program.modules.map(({ config }) => config)
const fields = configFields(sources, Object.keys(program.dialects))
const tables = tablesOf('', fields, configType())

/**
 * Returns what a value has to be, in words: the values that a codec lists, and addresses within angle brackets as text. A URL
 * in code is not a link.
 */
function expected(ruleName: string): string {
  const words = /^"[^"]+"(?: \| "[^"]+")+$/.test(ruleName)
    ? ruleName
        .replaceAll('"', '')
        .replaceAll(' | ', ', ')
        .replace(/, ([^,]+)$/, ' or $1')
    : ruleName
  return words.replaceAll('<', '\\<').replaceAll(/https:\/\/\S+|#\{\w+\}/g, '`$&`')
}

/** Returns the tables as they stand in docs/platform/configuration.md. */
function page(): string {
  return tables
    .map(({ title, options }) => {
      const rows = options.map(({ name, field: { rule, required }, meaning }) => {
        const cells = [`\`${name}\`${required ? ' (required)' : ''}`, expected(rule.name), meaning]
        return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
      })
      const heading = title === '' ? '### The whole configuration' : `### \`${title}\``
      return [heading, '', '| option | value | meaning |', '| --- | --- | --- |', ...rows, ''].join('\n')
    })
    .join('\n')
}

/** Returns a page without the spaces and hyphens that align the columns of its tables. */
function unaligned(text: string): string {
  return text.replaceAll(/(?<=^\|.*) +(?=\|)|(?<=\|) +/gm, ' ').replaceAll(/-{3,}/g, '---')
}

it('docs/platform/configuration.md has every option. UPDATE=1 writes it, and npm run format aligns it', () => {
  const file = join(import.meta.dirname, '../../../../docs/platform/configuration.md')
  const text = readFileSync(file, 'utf8')
  const [before, after] = ['<!-- options -->\n\n', '<!-- end of options -->']
  const start = text.indexOf(before) + before.length
  const written = `${text.slice(0, start)}${page()}\n${text.slice(text.indexOf(after))}`
  if (process.env.UPDATE === '1') writeFileSync(file, written)
  else expect(unaligned(text)).toBe(unaligned(written))
})

it('every option has a doc comment that editors show', () => {
  const silent = tables.flatMap(({ title, options }) =>
    options.filter(({ meaning }) => meaning === '').map(({ name }) => `${title}/${name}`),
  )
  expect(tables.length).toBeGreaterThan(20)
  expect(silent).toEqual([])
})

it('the doc comment of an option states its default', () => {
  const inWords: { readonly [name: string]: string } = {
    retentionPeriod: 'four days',
    maximumEventAge: 'six hours',
  }
  const wrong = tables.flatMap(({ title, options }) =>
    options.flatMap(({ name, field: { default: preset }, meaning }) => {
      if (!['number', 'string', 'boolean'].includes(typeof preset)) return []
      const value = inWords[name] ?? String(preset)
      const stated = [`Default ${value}`, `Default: ${value}`, `\`${value}\``, `default is ${value}`]
      return stated.some(each => meaning.includes(each)) && /default/i.test(meaning)
        ? []
        : [`${title}/${name}`]
    }),
  )
  expect(wrong).toEqual([])
})
