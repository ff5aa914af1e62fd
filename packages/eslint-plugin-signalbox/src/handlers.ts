import { type Trigger, triggerNames } from '@signalbox/user-pool/contract'
import { commentTypes } from './comment-types.ts'
import {
  child,
  children,
  isFunction,
  type Node,
  nameOf,
  nodesIn,
  pathOf,
  plain,
  writtenProperties,
} from './syntax.ts'

/** A function that may be the handler of events. */
export interface Handler {
  readonly fn: Node
  /** The name of its first parameter, unless it is a pattern. */
  readonly event: string | undefined
  /** The name of the type that says which events it gets, such as `SQSEvent` or `SQSHandler`. */
  readonly type: string | undefined
  /**
   * Whether the platform itself calls it, and with an event and a context: its type is that of a handler, or it is exported
   * under a name of a handler. A function that is passed to another one, such as `middy(handler)`, is called by that one.
   */
  readonly isEntry: boolean
  /** Whether the module exports it under any name, and passes it to no call. */
  readonly isExported: boolean
}

const typesModule = /^(@types\/)?aws-lambda(\/|$)/
const entryNames = ['handler', 'lambdaHandler', 'main', 'default']
const contextName = /^_*(context|ctx)?$/i

/** Returns the functions of a module with what is known of their events. */
export function handlersOf(program: Node): readonly Handler[] {
  const typeNames = importedTypes(program)
  const commented = commentTypes(program)
  const exportedAs = exportedNames(program)
  const passed = passedIn(program)
  const handlers: Handler[] = []
  const add = (fn: Node, local: string | undefined, written: Node | undefined, statement: Node) => {
    const [parameter] = children(fn, 'params')
    const comment = commented(statement)
    const declared = eventType(written, typeNames) ?? comment?.handler
    const type = declared ?? eventType(annotation(parameter), typeNames) ?? comment?.event
    const exported = exportedAs(fn, local)
    const isPassed = passed(fn, local)
    const isNamed = entryNames.includes(exported ?? '')
    const isEntry =
      (declared !== undefined || (isNamed && (type !== undefined || takesContext(fn)))) && !isPassed
    handlers.push({
      fn,
      event: parameter?.type === 'Identifier' ? nameOf(parameter) : undefined,
      type,
      isEntry,
      isExported: exported !== undefined && !isPassed,
    })
  }
  for (const node of nodesIn(program)) {
    if (node.type === 'FunctionDeclaration') add(node, nameOf(child(node, 'id')), undefined, node)
    if (node.type === 'VariableDeclarator') {
      const fn = child(node, 'init')
      const written = annotation(node.id as Node) ?? assertion(node.init as Node | null)
      if (isFunction(fn)) add(fn, nameOf(child(node, 'id')), written, node)
    }
    if (node.type === 'AssignmentExpression') {
      const fn = child(node, 'right')
      if (isFunction(fn)) add(fn, commonJsName(child(node, 'left')), undefined, node)
    }
    if (node.type === 'ExportDefaultDeclaration') {
      const fn = child(node, 'declaration')
      const written = assertion(node.declaration as Node)
      if (isFunction(fn) && fn.type !== 'FunctionDeclaration') add(fn, 'default', written, node)
    }
  }
  return handlers
}

/** Returns the names that types of `aws-lambda` have in a module. The value of a namespace is `*`. */
function importedTypes(program: Node): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const statement of children(program, 'body')) {
    if (statement.type !== 'ImportDeclaration') continue
    if (!typesModule.test(String(child(statement, 'source')?.value))) continue
    for (const specifier of children(statement, 'specifiers'))
      names.set(nameOf(child(specifier, 'local'))!, nameOf(child(specifier, 'imported')) ?? '*')
  }
  return names
}

/** Whether the second parameter of a function, if it has one, can be the context of an invocation. */
function takesContext(fn: Node): boolean {
  const [, second] = children(fn, 'params')
  return second === undefined || (second.type === 'Identifier' && contextName.test(nameOf(second)!))
}

/** Returns whether a function is passed to a call in the module, itself or by its name. */
function passedIn(program: Node): (fn: Node, name: string | undefined) => boolean {
  const names = new Set<string>()
  const functions = new Set<Node>()
  for (const node of nodesIn(program)) {
    if (node.type !== 'CallExpression') continue
    for (const argument of children(node, 'arguments').map(plain)) {
      functions.add(argument)
      if (argument.type === 'Identifier') names.add(nameOf(argument)!)
    }
  }
  return (fn, name) => functions.has(fn) || (name !== undefined && names.has(name))
}

/** Returns the name under which a function is exported, itself or by its name in the module. */
function exportedNames(program: Node): (fn: Node, local: string | undefined) => string | undefined {
  const names = new Map<string, string>()
  const functions = new Map<Node, string>()
  const add = (value: Node | undefined, name: string) => {
    if (value?.type === 'Identifier') names.set(nameOf(value)!, name)
    else if (value !== undefined) functions.set(value, name)
  }
  for (const node of nodesIn(program)) {
    if (node.type === 'ExportNamedDeclaration') {
      for (const specifier of children(node, 'specifiers'))
        add(child(specifier, 'local'), nameOf(child(specifier, 'exported'))!)
      const declaration = child(node, 'declaration')
      if (isFunction(declaration)) functions.set(declaration, nameOf(child(declaration, 'id'))!)
      for (const each of children(declaration, 'declarations'))
        add(child(each, 'init'), nameOf(child(each, 'id')) ?? '')
    }
    if (node.type === 'ExportDefaultDeclaration') add(child(node, 'declaration'), 'default')
    if (node.type !== 'AssignmentExpression') continue
    const name = commonJsName(child(node, 'left'))
    const value = child(node, 'right')
    if (name !== undefined) add(value, name)
    if (name === 'default' && value?.type === 'ObjectExpression')
      for (const [key, each] of writtenProperties(value)) add(each, key)
  }
  return (fn, local) => functions.get(fn) ?? (local === undefined ? undefined : names.get(local))
}

/** Returns the name under which an assignment exports: that of `exports.handler`, or `default` for `module.exports`. */
function commonJsName(left: Node | undefined): string | undefined {
  const path = pathOf(left)?.join('.')
  if (path === 'module.exports') return 'default'
  return /^(?:module\.)?exports\.(\w+)$/.exec(path ?? '')?.[1]
}

function annotation(node: Node | undefined): Node | undefined {
  return child(child(node, 'typeAnnotation'), 'typeAnnotation')
}

function assertion(node: Node | null): Node | undefined {
  return node !== null && plain(node) !== node ? child(node, 'typeAnnotation') : undefined
}

/** Returns the name of a type of `aws-lambda`. The name of `Handler<SQSEvent>` is `SQSEvent`. */
function eventType(type: Node | undefined, names: ReadonlyMap<string, string>): string | undefined {
  if (type?.type !== 'TSTypeReference') return undefined
  const written = child(type, 'typeName')
  const left = nameOf(child(written, 'left'))
  const name =
    left === undefined
      ? names.get(nameOf(written) ?? '')
      : names.get(left) === '*'
        ? nameOf(child(written, 'right'))
        : undefined
  if (name !== 'Handler') return name
  const [event] = children(child(type, 'typeArguments') ?? child(type, 'typeParameters'), 'params')
  return eventType(event, names)
}

/** Returns the trigger of a type such as `PreSignUpTriggerHandler`. */
export function triggerOfType(type: string | undefined): Trigger | undefined {
  const base = /^(.*?)(?:V\d)?Trigger(?:Event|Handler)$/.exec(type ?? '')?.[1]
  if (base === undefined) return undefined
  // The types name the trigger of tokens `PreTokenGeneration`, its sources begin with `TokenGeneration`.
  const name = base.replace(/^PreToken/, 'Token')
  return triggerNames.find(trigger => name.startsWith(trigger))
}

/** Whether a handler answers by a function that it is given, so that what it returns does not count. */
export function usesCallback({ fn }: Handler): boolean {
  const [, context, callback] = children(fn, 'params')
  const isContext = nameOf(context)
  if (callback !== undefined) return true
  for (const node of nodesIn(fn)) {
    const path = node.type === 'MemberExpression' ? pathOf(node) : undefined
    if (path?.length === 2 && path[0] === isContext && /^(succeed|done|fail)$/.test(path[1]!)) return true
    if (node.type === 'Identifier' && node.name === 'arguments') return true
  }
  return false
}
