import type { CallExpression, Identifier, Node, ObjectProperty, Statement } from '@babel/types'
import { printReady, UnwritableError } from '@signalbox/codec/ahead'
import MagicString from 'magic-string'
import { codecModule } from './codec-module.ts'
import { type Codec, evaluate, isCodec, withoutTypes } from './evaluate.ts'
import { startOf, understandingOf, usesIoTs, withStatement } from './understanding-of.ts'

/** A module whose codecs have been compiled. */
export interface CompiledModule {
  readonly code: string
  readonly map: unknown
  /** The other modules that were read to compile the codecs. */
  readonly sources: readonly string[]
  /** A sentence about each codec that was not compiled, with the reason. */
  readonly left: readonly string[]
}

/**
 * Compiles the codecs that a module passes to functions of Signalbox. It compiles only codecs that consist of io-ts
 * combinators and plain data, in this module or in a module that is imported by a relative path, because these
 * expressions can be evaluated without running user code. If another codec is used, the bundle keeps the code that
 * understands io-ts.
 *
 * @returns undefined for a module without codecs
 */
export function compileModule(path: string, code: string): CompiledModule | undefined {
  if (!/['"](?:io-ts|@signalbox\/[\w-]+)/.test(code)) return undefined
  const module = codecModule(path, code)
  if (!module)
    return usesIoTs.test(code)
      ? kept(path, code, ['it cannot be read, so its codecs are left as they are'])
      : undefined
  const { statements, lookup, codecs, ioTsNames, signalboxNames, queueNames, sources } = module
  const text = new MagicString(code)
  const ready = new Map<Codec, string | undefined>()
  const left: string[] = []
  let wraps = false
  let takesMessages = false
  let opens = module.makesOthers
  // In a cycle, another module may call the functions of this module before this module runs.
  const isEarly = statements.some(declaresFunction)

  const isKnown = (name: string) => lookup(name) !== undefined || signalboxNames.has(name)
  const shadowed = statements.flatMap(namesDeclaredInside).find(isKnown)
  if (shadowed !== undefined) {
    opens = true
    left.push(`the name ${shadowed} has two meanings, so that its codecs are left as they are`)
  } else for (const statement of statements) visit(statement, false)

  if (text.toString() === code) return opens ? kept(path, code, left) : undefined
  const printed = [...ready].filter((entry): entry is [Codec, string] => entry[1] !== undefined)
  const imports = [
    printed.length > 0
      ? "import { isObject as $isObject, readyCodec as $readyCodec } from '@signalbox/codec/ready';\n"
      : '',
    wraps || opens
      ? "import { understandIoTs as $understandIoTs } from '@signalbox/codec/understand-io-ts';\n"
      : '',
    // A declaration, because a module of a cycle may call functions of this module before it runs.
    wraps ? 'function $understood(codec) { return $understandIoTs(), codec }\n' : '',
    opens ? '$understandIoTs();\n' : '',
    takesMessages ? "import { queue as $queue } from '@signalbox/queue/on-message';\n" : '',
    printed.length > 0 ? constantsOf(printed, isEarly) : '',
  ]
  const start = startOf(code)
  if (start === 0) text.prepend(imports.join(''))
  else text.appendLeft(start, `\n${imports.join('')}`)
  return {
    code: text.toString(),
    map: text.generateMap({ source: path, hires: true, includeContent: true }),
    sources: [...sources],
    left,
  }

  /** @param isArgument whether the node is an argument of a Signalbox function */
  function visit(node: Node, isArgument: boolean): void {
    const declared = node.type === 'VariableDeclarator' ? codecs.get(node) : undefined
    if (declared && node.type === 'VariableDeclarator') {
      wrap(node.init!, '/* @__PURE__ */ ')
      markPure(node.init!)
      return
    }
    const plain = withoutTypes(node)
    if (plain.type === 'CallExpression' || plain.type === 'MemberExpression' || plain.type === 'Identifier') {
      const value = evaluate(plain, lookup)?.value
      if (isCodec(value)) {
        const name = isArgument ? readyName(value) : undefined
        if (name !== undefined) text.overwrite(plain.start!, plain.end!, isEarly ? `$ready().${name}` : name)
        else if (plain.type !== 'Identifier') wrap(plain, '')
        return
      }
      if (plain.type === 'Identifier' && ioTsNames.has(plain.name)) leave(plain)
    }
    const isOurs = plain.type === 'CallExpression' && isOfSignalbox(plain)
    if (isOurs && queueNames.has((plain.callee as Identifier).name) && hasOnMessage(plain)) {
      text.overwrite(plain.callee.start!, plain.callee.end!, '$queue')
      takesMessages = true
    }
    for (const child of childrenOf(plain)) {
      const passes =
        plain.type === 'CallExpression'
          ? isOurs && child !== plain.callee
          : isArgument && /^(?:ObjectExpression|ObjectProperty|ArrayExpression)$/.test(plain.type)
      visit(child, passes && !(plain.type === 'ObjectProperty' && readsFields(plain)))
    }
  }

  function wrap(node: Node, mark: string): void {
    wraps = true
    text.appendLeft(node.start!, `${mark}$understood(`)
    text.appendRight(node.end!, ')')
  }

  /** Marks the calls in a codec as pure, so that bundlers drop an unused codec. */
  function markPure(node: Node): void {
    if (node.type === 'CallExpression') text.appendLeft(node.start!, '/* @__PURE__ */ ')
    for (const child of childrenOf(node)) markPure(child)
  }

  function readyName(codec: Codec): string | undefined {
    if (!ready.has(codec)) {
      try {
        printReady({ codecs: { codec } }, new Map())
        ready.set(codec, `$ready${ready.size}`)
      } catch (error) {
        if (!(error instanceof UnwritableError)) throw error
        ready.set(codec, undefined)
        left.push(error.message)
      }
    }
    return ready.get(codec)
  }

  function leave({ name, loc }: Identifier): void {
    if (!opens) left.push(`${name} in line ${loc!.start.line} is used in a way that is not compiled`)
    opens = true
  }

  function isOfSignalbox({ callee }: CallExpression): boolean {
    return callee.type === 'Identifier' && signalboxNames.has(callee.name)
  }

  /** Returns whether a route reads the fields of the codec in this property. */
  function readsFields({ key }: ObjectProperty): boolean {
    const name = key.type === 'Identifier' ? key.name : ''
    return /^(?:query|params|headers|cookies|returns)$/.test(name)
  }
}

/** Returns a module whose codecs are not compiled, with the call that makes a bundle understand them. */
function kept(path: string, code: string, left: readonly string[]): CompiledModule {
  const text = withStatement(code, understandingOf(code, 'io-ts'))
  return {
    code: text.toString(),
    map: text.generateMap({ source: path, hires: true, includeContent: true }),
    sources: [],
    left,
  }
}

/** Returns the declarations of the compiled codecs: constants, or a function that makes them at its first call. */
function constantsOf(printed: readonly (readonly [Codec, string])[], isEarly: boolean): string {
  const names = printed.map(([, name]) => name)
  const code = printReady(
    { codecs: Object.fromEntries(printed.map(([codec, name]) => [name, codec])) },
    new Map(),
  )
  const body = code.replace(/^export /gm, '')
  const made = `(() => { const isObject = $isObject, readyCodec = $readyCodec; ${body} return { ${names} } })()`
  return isEarly
    ? `var $made; function $ready() { return $made ??= ${made} }\n`
    : `const { ${names} } = /* @__PURE__ */ ${made};\n`
}

/** Returns whether a top-level statement declares a function, which other modules can call before this module runs. */
function declaresFunction(statement: Statement): boolean {
  const isExport =
    statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
  return (isExport ? statement.declaration : statement)?.type === 'FunctionDeclaration'
}

/** Returns the expressions and statements directly inside a node, except types and names that are not references. */
function childrenOf(node: Node): readonly Node[] {
  if (node.type.startsWith('TS') && node === withoutTypes(node)) return []
  if (/^(?:Import|Export(?:All|Specifier|Namespace))/.test(node.type)) return []
  const skipped = new Set<unknown>([
    'typeAnnotation',
    'typeParameters',
    'typeArguments',
    'returnType',
    'specifiers',
    'leadingComments',
    'trailingComments',
    'innerComments',
    'loc',
    ...('computed' in node && node.computed ? [] : node.type === 'MemberExpression' ? ['property'] : ['key']),
    ...(node.type === 'ObjectProperty' && node.shorthand ? ['key'] : []),
  ])
  return Object.entries(node)
    .filter(([key]) => !skipped.has(key))
    .flatMap(([, value]) => value as unknown)
    .filter((value): value is Node => typeof (value as Node | null)?.type === 'string')
}

/** Returns the names that are declared inside a statement, below the top level of the module. */
function namesDeclaredInside(statement: Node): readonly string[] {
  const names: string[] = []
  const collect = (node: Node, isTop: boolean): void => {
    const isFunction = 'params' in node && 'body' in node
    if (isFunction) for (const param of (node as { params: Node[] }).params) bound(param)
    if (node.type === 'VariableDeclarator' && !isTop) bound(node.id as Node)
    if (node.type === 'CatchClause' && node.param) bound(node.param)
    if (!isTop && (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id)
      bound(node.id)
    const inner = /^(?:ExportNamedDeclaration|VariableDeclaration|ImportDeclaration)$/.test(node.type)
    for (const child of childrenOf(node)) collect(child, isTop && inner)
  }
  const bound = (node: Node): void => {
    if (node.type === 'Identifier') names.push(node.name)
    else for (const child of childrenOf(node)) bound(child)
  }
  collect(statement, true)
  return names
}

/** Returns whether the options in a call of `queue()` certainly have `onMessage` and no `onBatch`. */
function hasOnMessage({ arguments: [options] }: CallExpression): boolean {
  if (options?.type !== 'ObjectExpression') return false
  const names = options.properties.map(property => {
    if (property.type === 'SpreadElement' || property.computed) return undefined
    return property.key.type === 'Identifier'
      ? property.key.name
      : (property.key as { value?: unknown }).value
  })
  return names.includes('onMessage') && !names.includes('onBatch') && !names.includes(undefined)
}
