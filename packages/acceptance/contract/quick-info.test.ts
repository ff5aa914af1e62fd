import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { knownSource, type Source, sourcesOf } from '@signalbox/user-pool/contract'
import ts from 'typescript-6'
import { type ContractPage, type ContractRow, contractPages, contractRows } from './contract-rows.ts'

/** The name of a field, and the type that contains it. */
interface Place {
  readonly row: ContractRow
  readonly holder: string
  readonly field: string
}

/** The types whose fields a table describes, by the first part of the anchors in the table. */
const roots: { readonly [page in ContractPage]: { readonly [table: string]: readonly string[] } } = {
  'user-pool': {
    common: ["TriggerEvent<'PreSignUp_SignUp'>", "WireEvent<'CustomSMSSender_SignUp'>", 'TriggerEvent'],
    attribute: [
      "TriggerEvent<'PreSignUp_SignUp'>['request']['userAttributes']",
      "TriggerEvent<'CustomEmailSender_SignUp'>['request']['userAttributes']",
    ],
  },
  queue: {
    event: ['QueueEvent'],
    record: ["QueueEvent['Records'][0]"],
    attributes: ["QueueEvent['Records'][0]['attributes']"],
    messageAttributes: ["QueueEvent['Records'][0]['messageAttributes'][string]"],
    response: ['BatchResponse'],
    failure: ["BatchResponse['batchItemFailures'][0]"],
  },
  'mail-flow': {
    event: ['MailEvent'],
    envelope: ["MailEvent['envelope']"],
    client: ["MailEvent['client']"],
    authentication: ["MailEvent['authentication']"],
    result: [
      "Inside<MailEvent['authentication']>['spf']",
      "Inside<MailEvent['authentication']>['dkim']",
      "Inside<MailEvent['authentication']>['dmarc']",
    ],
    response: ['MailResponse'],
    decision: ["MailResponse['actions'][0]"],
  },
  'load-balancer': { event: ['LoadBalancerEvent'], response: ['LoadBalancerResponse'] },
}

/** Returns the types that contain the fields of a trigger: the events of all its sources, and its answer. */
function rootsOfTrigger(trigger: string, part: string, field: string): readonly string[] {
  if (part === 'response') return [`TriggerResponse<'${trigger}'>`]
  const sources = sourcesOf(trigger).filter(source => knownSource(source)!.request[field] !== undefined)
  return sources.flatMap((source: Source) => [
    `TriggerEvent<'${source}'>['request']`,
    `WireEvent<'${source}'>['request']`,
  ])
}

function placesOf(page: ContractPage, row: ContractRow): readonly Place[] {
  const [table, ...path] = row.id.split('.') as [string, ...string[]]
  const fixed = roots[page][table]
  const isField = 'Field' in row.cells || table === 'attribute'
  if (!isField) return []
  const [holders, names] = fixed ? [fixed, path] : [rootsOfTrigger(table, path[0]!, path[1]!), path.slice(1)]
  return holders.map(root => ({
    row,
    holder: names.slice(0, -1).reduce((type, name) => `Inside<${type}['${name}']>`, `Inside<${root}>`),
    field: names.at(-1)!,
  }))
}

/** A program that names each of these places once, and the position of each name. */
interface Shown {
  readonly file: string
  readonly text: string
  readonly positions: readonly number[]
}

function shownBy(page: ContractPage, places: readonly Place[]): Shown {
  const names = [...new Set(places.flatMap(({ holder }) => holder.match(/[A-Z]\w*(?=[<>[]|$)/g) ?? []))]
  const imported = names.filter(name => name !== 'Inside').join(', ')
  let text = `import type { ${imported} } from '@signalbox/${page}/contract'
type Inside<T> = NonNullable<T> extends infer N ? (N extends readonly (infer Item)[] ? Item : N) : never
`
  const positions = places.map(({ holder, field }, i) => {
    text += `declare const v${i}: ${holder}\nvoid v${i}['`
    const position = text.length
    text += `${field}']\n`
    return position
  })
  return { file: fileURLToPath(new URL(`./${page}.shown.ts`, import.meta.url)), text, positions }
}

function languageService(programs: readonly Shown[]): ts.LanguageService {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.es2024.string.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    customConditions: ['@signalbox/source'],
    exactOptionalPropertyTypes: true,
    noEmit: true,
    strict: true,
    types: ['node'],
  }
  const textOf = (name: string) => programs.find(({ file }) => file === name)?.text
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => programs.map(({ file }) => file),
    getScriptVersion: () => '1',
    getScriptSnapshot(name) {
      const found = textOf(name) ?? ts.sys.readFile(name)
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found)
    },
    getCurrentDirectory: () => import.meta.dirname,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: name => textOf(name) !== undefined || ts.sys.fileExists(name),
    readFile: name => textOf(name) ?? ts.sys.readFile(name),
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  })
}

/** Returns the meaning of a row as a doc comment states it, without links to other tables. */
function meaningOf({ cells }: ContractRow): string {
  return cells.Meaning!.replaceAll(/ See \[[^\]]*\]\([^)]*\)\./g, '')
}

const pages = contractPages.map(page => {
  const rows = contractRows(page)
  const places = rows.flatMap(row => placesOf(page, row))
  return { page, rows, places, shown: shownBy(page, places) }
})
// All pages share one program, because most of its time goes into files that all of them need.
const service = languageService(pages.map(({ shown }) => shown))

describe.each(pages)('docs/contract/$page.md', ({ page, rows, places, shown: { file, positions } }) => {
  let documentation: readonly string[]
  beforeAll(() => {
    documentation = positions.map(position =>
      ts
        .displayPartsToString(service.getQuickInfoAtPosition(file, position)?.documentation ?? [])
        .replaceAll('\n', ' '),
    )
  })

  it.each(rows.filter(row => placesOf(page, row).length > 0))(
    'describes $id with the same text that an editor shows',
    row => {
      const shown = documentation.filter((_, i) => places[i]!.row === row)
      expect([...new Set(shown)]).toEqual([meaningOf(row)])
    },
  )
})
