import ts from 'typescript-6'
import type { ApiExport, ApiPackage } from './api.ts'
import { firstSentenceOf } from './first-sentence.ts'

/**
 * Returns the page of a package: what its README begins with, and each export of each entry with its declaration, its text
 * and its example. An export of several entries is described at the first one.
 */
export function apiPage({ name, folder, entries }: ApiPackage, checker: ts.TypeChecker): string {
  const places = new Map<ts.Symbol, string>()
  const sections = entries.map(entry => {
    const parts = entry.exports.map(exported => {
      const id = `${entry.name.slice(name.length + 1).replaceAll('/', '-') || 'index'}-${exported.name}`
      const known = places.get(exported.symbol)
      if (known === undefined) places.set(exported.symbol, id)
      const heading = `### ${exported.name} {:#${id}}`
      if (known !== undefined) return `${heading}\n\nThe same as [above](#${known}).\n`
      return [heading, ...describe(exported, checker)].join('\n\n')
    })
    return `## \`${entry.name}\`\n\n${parts.join('\n\n')}`
  })
  const purpose = `${firstSentenceOf(`packages/${folder}/README.md`)} [Its page](../../../${folder}/README.md) shows how to use it.`
  return `# API of ${name}\n\n${purpose}\n\n${sections.join('\n\n')}\n`
}

function describe({ name, symbol, declarations }: ApiExport, checker: ts.TypeChecker): readonly string[] {
  const tags = symbol.getJsDocTags(checker)
  const texts = (tag: string) =>
    tags.filter(each => each.name === tag).map(each => ts.displayPartsToString(each.text))
  const list = (items: readonly string[]) =>
    items.length === 0 ? [] : [items.map(each => `- ${each}`).join('\n')]
  return [
    prose(ts.displayPartsToString(symbol.getDocumentationComment(checker))),
    code(declarations.flatMap(each => declarationText(name, each, checker)).join('\n')),
    ...list([
      ...texts('param').map(text => parameter(text)),
      ...texts('returns').map(text => `Returns: ${line(text)}`),
      ...texts('throws').map(text => `Throws: ${line(text)}`),
    ]),
    ...texts('example').map(example),
  ].filter(text => text !== '')
}

function parameter(text: string): string {
  const [, name = '', meaning = ''] = /^(\S+)\s*(.*)$/s.exec(text) ?? []
  return `\`${name}\`: ${line(meaning)}`
}

function example(text: string): string {
  const trimmed = text.trim()
  return trimmed.includes('```') ? trimmed : code(trimmed)
}

const code = (text: string) => (text === '' ? '' : `\`\`\`ts\n${text}\n\`\`\``)

/** Returns the text of a tag, which is one item of a list. */
function line(text: string): string {
  if (/\n\s*\n/.test(text)) throw new Error(`A paragraph follows a tag. Put it before all tags: ${text}`)
  return prose(text).replaceAll(/\s+/g, ' ')
}

/** Returns the text of a comment as Markdown in which nothing outside of code is a tag or an expression. */
function prose(text: string): string {
  return text
    .split(/(```[\s\S]*?```|`[^`]*`)/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part
            .replaceAll('<', '&lt;')
            .replaceAll('{{', '&#123;&#123;')
            .replaceAll(/(^|\s)#/g, '$1\\#')
            .replaceAll(/\bdocs\/[\w/-]+\.md(?:#[\w.-]*\w)?/g, '[$&](../../../../$&)'),
    )
    .join('')
}

/** Returns a declaration as a reader of types needs it: functions without bodies, values by their types. */
function declarationText(
  name: string,
  declaration: ts.Declaration,
  checker: ts.TypeChecker,
): readonly string[] {
  if (ts.isFunctionDeclaration(declaration)) {
    const { parent } = declaration
    const overloads = ts.isSourceFile(parent)
      ? parent.statements.filter(
          each => ts.isFunctionDeclaration(each) && each.name?.text === declaration.name?.text,
        )
      : []
    const isImplementation = declaration.body !== undefined && overloads.length > 1
    return isImplementation ? [] : [signature(declaration, checker)]
  }
  if (ts.isVariableDeclaration(declaration) || ts.isBindingElement(declaration))
    return [`const ${name}: ${typeText(declaration, checker)}`]
  if (ts.isClassDeclaration(declaration)) return [classText(declaration, checker)]
  if (ts.isTypeAliasDeclaration(declaration) && /^(?:t\.)?TypeOf</.test(declaration.type.getText()))
    return [`type ${name} = ${fieldsText(declaration, checker)}`]
  if (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration))
    return [
      declaration
        .getText()
        .replace(/^export /, '')
        .replaceAll(/^ *\/\/ biome-ignore .*\n/gm, ''),
    ]
  return []
}

/** Returns the type of the values of a codec, with its fields. */
function fieldsText(declaration: ts.TypeAliasDeclaration, checker: ts.TypeChecker): string {
  const text = inLines(checker.getTypeAtLocation(declaration), declaration, checker)
  return text.length > longestType ? declaration.type.getText() : text
}

/** Returns a type with each field in a line of its own. */
function inLines(type: ts.Type, declaration: ts.Declaration, checker: ts.TypeChecker): string {
  const { MultilineObjectLiterals, NoTruncation, InTypeAlias, UseAliasDefinedOutsideCurrentScope } =
    ts.NodeBuilderFlags
  const flags = MultilineObjectLiterals | NoTruncation | InTypeAlias | UseAliasDefinedOutsideCurrentScope
  const node = checker.typeToTypeNode(type, declaration, flags)!
  return ts
    .createPrinter()
    .printNode(ts.EmitHint.Unspecified, node, declaration.getSourceFile())
    .replaceAll(/^(?: {4})+/gm, indent => ' '.repeat(indent.length / 2))
    .replaceAll(/;$/gm, '')
}

const longestType = 2000

function typeText(declaration: ts.VariableDeclaration | ts.BindingElement, checker: ts.TypeChecker): string {
  if (ts.isVariableDeclaration(declaration) && declaration.type !== undefined)
    return declaration.type.getText()
  const type = checker.getTypeAtLocation(declaration)
  const text = checker.typeToString(type, declaration)
  // The fields of a codec are those of the type with its name.
  const name = [type.aliasSymbol?.name, type.symbol?.name].find(
    each => each !== undefined && !each.startsWith('__'),
  )
  if (text.length <= 100) return text
  const lines = name ?? inLines(type, declaration, checker)
  return lines.length > longestType ? text : lines
}

type WithBody =
  | ts.FunctionDeclaration
  | ts.MethodDeclaration
  | ts.ConstructorDeclaration
  | ts.AccessorDeclaration

function signature(declaration: WithBody, checker: ts.TypeChecker): string {
  const text = declaration.getText()
  const end =
    declaration.body === undefined ? undefined : declaration.body.getStart() - declaration.getStart()
  const head = text
    .slice(0, end)
    .trim()
    .replace(/^export /, '')
    .replace(/\basync /, '')
  if (declaration.type !== undefined || ts.isConstructorDeclaration(declaration)) return head
  const found = checker.getSignatureFromDeclaration(declaration)
  return found === undefined ? head : `${head}: ${checker.typeToString(found.getReturnType(), declaration)}`
}

function classText(declaration: ts.ClassDeclaration, checker: ts.TypeChecker): string {
  const open = declaration.members.pos - declaration.getStart()
  const head = declaration
    .getText()
    .slice(0, open)
    .replace(/^export /, '')
  const members = declaration.members.flatMap(member => {
    const isHidden =
      (member.name !== undefined && ts.isPrivateIdentifier(member.name)) ||
      (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0
    if (isHidden) return []
    const isFunction =
      ts.isMethodDeclaration(member) || ts.isConstructorDeclaration(member) || ts.isAccessor(member)
    return [`  ${isFunction ? signature(member, checker) : member.getText()}`]
  })
  return `${head}\n${members.join('\n')}\n}`
}
