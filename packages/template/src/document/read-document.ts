import { pointerTo } from '@signalbox/codec'
import type { Alias, Node, Pair } from 'yaml'
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { aliasTargets } from './alias-targets.ts'
import { TemplateError } from './template-error.ts'
import { isTooDeep, mostDepth } from './too-deep.ts'
import { hasTooManyAliases, hasTooManyValues, mostAliases, mostValues } from './too-many.ts'

/** The greatest size of a template in bytes, which is that of CloudFormation. */
const mostBytes = 1024 * 1024

/** The greatest size of a plan of Terraform in bytes. A plan says everything up to four times. */
const mostPlanBytes = 32 * 1024 * 1024

/** The greatest number of lines of a template in YAML, for which the library takes a second. */
const mostLines = 50_000

/** A line on which the YAML library may take quadratic time. */
const longLine = /^.{10001}/m

/** The short forms of intrinsic functions that are not called `Fn::` in their long form. */
const plainTags = new Set(['Ref', 'Condition'])

const functionTags = new Set([
  ...['Base64', 'Cidr', 'And', 'Equals', 'If', 'Not', 'Or', 'FindInMap', 'GetAtt', 'GetAZs', 'ImportValue'],
  ...['Join', 'Select', 'Split', 'Sub', 'Transform', 'Length', 'ToJsonString'],
  // These are for rules, which are not read.
  ...['Contains', 'EachMemberEquals', 'EachMemberIn', 'RefAll', 'ValueOf', 'ValueOfAll'],
])

/**
 * Reads a template in YAML or JSON. Short forms such as `!Ref` become long ones. Aliases are replaced, also those of merge
 * keys. Numbers that would lose something, such as the zeros of an account id or of a version, stay texts.
 * @throws TemplateError for a text that is no such document, that is too large or too deep
 */
export function readDocument(text: string): unknown {
  const bytes = Buffer.byteLength(text)
  const most = /^\s*\{/.test(text) && text.includes('"planned_values"') ? mostPlanBytes : mostBytes
  if (bytes > most) throw broken(`a template of at most ${most} bytes`, `${bytes} bytes`)
  if (isTooDeep(text)) throw broken(`collections in at most ${mostDepth} collections`, 'more')
  const json = /^\s*\{/.test(text) ? jsonOf(text) : undefined
  if (json !== undefined) return json
  if (text.split('\n', mostLines + 1).length > mostLines) throw broken(`at most ${mostLines} lines`, 'more')
  if (longLine.test(text)) throw broken('lines of at most 10000 characters', 'a longer one')
  if (hasTooManyValues(text)) throw broken(`at most ${mostValues} values`, 'more')
  if (hasTooManyAliases(text)) throw broken(`at most ${mostAliases} aliases`, 'more')
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
    // The library compares each key with each other one.
    uniqueKeys: false,
  })
  const [error] = document.errors
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0])
    throw broken('YAML or JSON', `line ${line}, column ${col}: ${error.message}`)
  }
  return document.contents === null ? null : plainValues(aliasTargets(document)).of(document.contents, [])
}

/**
 * Reads JSON, which the YAML library would take much longer for. Returns undefined for another text, because YAML can begin
 * like JSON.
 */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function broken(expected: string, actual: string): TemplateError {
  return new TemplateError([{ pointer: '', expected, actual }])
}

function plainValues(targets: ReadonlyMap<Alias, Node>) {
  const of = (node: unknown, place: readonly (string | number)[]): unknown => {
    const wrong = (expected: string, actual: string) =>
      new TemplateError([{ pointer: pointerTo(...place), expected, actual }])
    if (isAlias(node)) return of(targets.get(node), place)
    const value = isMap(node)
      ? objectOf(node.items as readonly Pair[], place)
      : isSeq(node)
        ? node.items.map((item, at) => of(item, [...place, at]))
        : isScalar(node)
          ? scalarOf(node.value, node.source)
          : null
    const tag = (node as Node | null)?.tag
    if (tag === undefined || !tag.startsWith('!') || tag === '!') return value
    const name = tag.slice(1)
    if (plainTags.has(name)) return { [name]: value }
    if (!functionTags.has(name)) throw wrong('an intrinsic function', tag)
    return { [`Fn::${name}`]: name === 'GetAtt' && typeof value === 'string' ? attributeOf(value) : value }
  }

  const objectOf = (items: readonly Pair[], place: readonly (string | number)[]): object => {
    const merged: [string, unknown][] = []
    const own: [string, unknown][] = []
    const names = new Set<string>()
    for (const { key, value } of items) {
      const name = String(isScalar(key) ? (key.source ?? key.value) : of(key, place))
      if (names.has(name))
        throw new TemplateError([
          { pointer: pointerTo(...place, name), expected: 'each key once', actual: 'one twice' },
        ])
      names.add(name)
      const found = of(value, [...place, name])
      if (name !== '<<') own.push([name, found])
      else
        for (const each of Array.isArray(found) ? found.toReversed() : [found])
          merged.push(...Object.entries((each ?? {}) as object))
    }
    return Object.fromEntries([...merged, ...own])
  }

  return { of }
}

function scalarOf(value: unknown, source: string | undefined): unknown {
  return typeof value === 'number' && source !== undefined && String(value) !== source ? source : value
}

function attributeOf(text: string): readonly string[] {
  const dot = text.indexOf('.')
  return dot < 0 ? [text] : [text.slice(0, dot), text.slice(dot + 1)]
}
