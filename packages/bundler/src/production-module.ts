import type { Function as FunctionNode, NewExpression, Node } from '@babel/types'
import MagicString from 'magic-string'
import { compileAtOnce, eagerFunctions } from './eager-functions.ts'
import { makesSchemas } from './opens-schemas.ts'
import { parsed } from './parsed.ts'
import { unneededImports } from './unnamed-members.ts'

/**
 * The modules with short errors about options: those that nearly every function of a family has in its bundle. All their
 * errors appear when a function starts for the first time, so the first test shows them. The errors of all other modules
 * keep their texts, because they can depend on what only the deployed function has: settings, files, packages and
 * events. See docs/decisions/bundles-and-publishing.md#bundles-for-production.
 */
export const shortErrors: ReadonlySet<string> = new Set([
  'core/options',
  'core/signalbox/arguments',
  'core/signalbox/wrap-middleware',
  'load-balancer/load-balancer',
  'load-balancer/middleware/middy-middlewares',
  'load-balancer/paths/path-pattern',
  'load-balancer/paths/route-index',
  'load-balancer/response/error-map',
  'load-balancer/routing/check-params',
  'load-balancer/routing/codec-option',
  'load-balancer/routing/group',
  'load-balancer/routing/guard',
  'load-balancer/routing/route-input',
  'load-balancer/routing/router',
  'load-balancer/routing/serve-route',
  'mail-flow/decision/decider',
  'mail-flow/response/check-options',
  'queue/batch-options',
  'queue/queue-plugin',
  'queue/response/failed-records',
  'user-pool/routing/trigger-router',
])

/**
 * Returns the production form of a Signalbox module.
 *
 * - In modules with short errors, errors about invalid options contain the place where they are thrown, such as
 *   `batch-options:68`, instead of a message. If the message has the variables `where` and `name`, the error keeps its start with both, such as
 *   `queue() has no option onMesage`. If it has one of them, the error has it before the place. All options are still
 *   checked.
 * - Calls of `inDevelopment` and `withHints` become `false`, so that bundlers remove warnings and hints.
 * - If the user code does not name a member, a function that throws an error replaces the import for that member.
 * - Functions that run before the first answer are written so that V8 compiles them at once.
 * - If the user code makes no schemas, calls of `isSchema` and `isLater` become `false`, too.
 *
 * @param userCode all other code of the bundle, or undefined if it is unknown
 * @returns undefined for a module that stays as it is
 */
export function productionModule(
  path: string,
  packageName: string,
  code: string,
  userCode?: string,
): { readonly code: string; readonly map: unknown } | undefined {
  const [, file] = /[\\/](?:src|dist)[\\/](.*)\.[jt]s$/.exec(path) ?? []
  const unneeded =
    file === undefined || userCode === undefined
      ? new Map<string, string>()
      : unneededImports(packageName, file.replaceAll('\\', '/'), userCode)
  const falseCalls =
    userCode === undefined || makesSchemas(userCode)
      ? /\b(?:inDevelopment(?:OrTest)?|withHints)\b/
      : /\b(?:inDevelopment(?:OrTest)?|withHints|isSchema|isLater)\b/
  const eager = eagerOf(packageName, path)
  const module = `${packageName.replace('@signalbox/', '')}/${file?.replaceAll('\\', '/')}`
  const shortens = shortErrors.has(module) && code.includes('new InvalidOptionError(')
  if (unneeded.size === 0 && !falseCalls.test(code) && !shortens && eager.length === 0) return undefined
  const place = file?.split(/[\\/]/).at(-1)
  const { program } = parsed(path, code)!
  const text = new MagicString(code)
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration') continue
    for (const { type, local } of statement.specifiers) {
      const member = type === 'ImportSpecifier' ? unneeded.get(local.name) : undefined
      if (member === undefined) continue
      // The import gets a name that nothing uses, so bundlers drop it.
      text.appendRight(local.end!, ` as $${local.name}`)
      text.appendLeft(
        statement.end!,
        `;const ${local.name} = () => { throw new TypeError('${member} is not bundled') }`,
      )
    }
  }
  compileAtOnce(text, program, eager)
  const makers = new Map<string, FunctionNode>()
  const exported = new Set<Node>()
  visit(program, node => {
    if (node.type === 'ExportNamedDeclaration' && node.declaration) exported.add(node.declaration)
    const name =
      node.type === 'FunctionDeclaration' && !exported.has(node)
        ? node.id!.name
        : node.type === 'VariableDeclarator' && node.id.type === 'Identifier'
          ? node.id.name
          : undefined
    const made = node.type === 'VariableDeclarator' ? node.init : node
    if (shortens && name !== undefined && made && isMaker(made)) makers.set(name, made)
  })
  const sourceOf = ({ start, end }: Node) => `\${${code.slice(start!, end!)}}`
  const ofMakers = new Set([...makers.values()].map(errorOf))
  for (const maker of makers.values()) {
    const { params } = maker
    text.overwrite(params[0]!.start!, params.at(-1)!.end!, 'place')
    const [message] = errorOf(maker)!.arguments
    text.overwrite(message!.start!, message!.end!, 'place')
  }
  visit(program, node => {
    const here = `${place}:${node.loc?.start.line}`
    if (shortens && isInvalidOption(node) && !ofMakers.has(node)) {
      const [message] = node.arguments
      text.overwrite(message!.start!, message!.end!, shortMessage(message!, here, sourceOf))
    }
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return
    const { arguments: args, callee } = node
    if (falseCalls.test(callee.name)) text.overwrite(node.start!, node.end!, 'false')
    const maker = makers.get(callee.name)
    if (!maker) return
    const [message] = errorOf(maker)!.arguments
    const argumentOf = (part: Node) => {
      const at = maker.params.findIndex(param => nameOf(param) === nameOf(part))
      const argument = args[at]
      return argument?.type === 'StringLiteral' ? argument.value : argument && sourceOf(argument)
    }
    text.overwrite(args[0]!.start!, args.at(-1)!.end!, shortMessage(message!, here, argumentOf))
  })
  return { code: text.toString(), map: text.generateMap({ source: path, hires: true, includeContent: true }) }
}

/**
 * Returns the expression for the production form of a message.
 * @param textOf returns the text of a variable in a template literal, or undefined if the variable is not known there
 */
function shortMessage(message: Node, place: string, textOf: (part: Node) => string | undefined): string {
  if (message.type !== 'TemplateLiteral') return JSON.stringify(place)
  const parts: Node[] = message.expressions.map((each: Node) =>
    // The name of an option is quoted with JSON.stringify(name).
    each.type === 'CallExpression' && each.arguments.length === 1 ? (each.arguments[0] as Node) : each,
  )
  const [where, name] = ['where', 'name'].map(known => parts.findIndex(part => nameOf(part) === known))
  const [first, second] = [where!, name!].map(at => parts[at] && textOf(parts[at]))
  if (where === 0 && name === 1 && first && second)
    return `\`${first}${message.quasis[1]!.value.raw}${second}\``
  const only = first ?? second
  return only ? `\`${only} (${place})\`` : JSON.stringify(place)
}

function nameOf(node: Node): string | undefined {
  return node.type === 'Identifier' ? node.name : undefined
}

/** Returns the names of the functions of a module that are compiled at once. Sources can have overloads, so they have none. */
function eagerOf(packageName: string, path: string): readonly string[] {
  const [, file] = /[\\/]dist[\\/](.*)\.js$/.exec(path) ?? []
  return (
    (file && eagerFunctions[`${packageName.replace('@signalbox/', '')}/${file.replaceAll('\\', '/')}`]) || []
  )
}

/** Returns whether a function only creates or throws an error from its arguments. */
function isMaker(node: Node): node is FunctionNode {
  return 'params' in node && (node.params as readonly unknown[]).length > 0 && errorOf(node) !== undefined
}

/** Returns the error that a function creates, if the function does nothing else. */
function errorOf(node: Node): NewExpression | undefined {
  const body = (node as { readonly body?: Node }).body
  const only = body?.type === 'BlockStatement' ? (body.body.length === 1 ? body.body[0]! : undefined) : body
  const made = only && 'argument' in only ? (only.argument as Node | null) : only
  return made && isInvalidOption(made) ? made : undefined
}

function isInvalidOption(node: Node): node is NewExpression {
  return (
    node.type === 'NewExpression' &&
    node.callee.type === 'Identifier' &&
    node.callee.name === 'InvalidOptionError' &&
    node.arguments.length > 0
  )
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node)
  for (const value of Object.values(node).flat() as unknown[])
    if (typeof (value as Node | null)?.type === 'string') visit(value as Node, see)
}
