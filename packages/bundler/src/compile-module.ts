import type {
  CallExpression,
  Expression,
  Identifier,
  Node,
  ObjectExpression,
  ObjectProperty,
  Statement,
} from '@babel/types'
import { printReady, UnwritableError } from '@signalbox/codec/ahead'
import MagicString from 'magic-string'
import { childrenOf } from './children-of.ts'
import { codecModule } from './codec-module.ts'
import { type Codec, evaluate, isCodec, nameOf, withoutTypes } from './evaluate.ts'
import { fieldProperties } from './field-properties.ts'
import { groupAdders } from './group-adders.ts'
import { obstacleIn, obstacleInCodec } from './obstacle.ts'
import { startOf, understandingOf, usesIoTs, withStatement } from './understanding-of.ts'

/** A module whose codecs have been compiled. */
export interface CompiledModule {
  readonly code: string
  readonly map: unknown
  /** The other modules that were read to compile the codecs. */
  readonly sources: readonly string[]
  /** The codecs that were not compiled. */
  readonly left: readonly LeftCodec[]
}

/** A codec that is not compiled, so that the bundle keeps io-ts. */
interface LeftCodec {
  /** What is in the way, and what to do. */
  readonly sentence: string
  /** The place of the codec in the module. It is missing for a module that cannot be parsed. */
  readonly at?: { readonly line: number; readonly column: number }
}

/**
 * How a function of Signalbox uses an argument: it only checks values (`check`), also reads the fields of the codec
 * (`fields`), or takes only codecs of text (`text`). `none` stands for an expression that is not such an argument.
 */
type Use = 'none' | 'check' | 'fields' | 'text'

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
      ? kept(path, code, [
          {
            sentence:
              'The module cannot be parsed, so its codecs are not compiled, and the bundle keeps io-ts.',
          },
        ])
      : undefined
  const { statements, lookup, codecs, ioTsNames, signalboxNames, queueNames, sources } = module
  const text = new MagicString(code)
  const ready = new Map<Codec, string | undefined>()
  const withFields = new Set<Codec>()
  const shorthands = new Set<Node>()
  const left: LeftCodec[] = []
  const reported = new Set<string>()
  const adders = groupAdders(statements, signalboxNames)
  let wraps = false
  let takesMessages = false
  let opens = module.makesOthers
  // In a cycle, another module may call the functions of this module before this module runs.
  const isEarly = statements.some(declaresFunction)

  const isKnown = ({ name }: Identifier) =>
    lookup(name) !== undefined ||
    signalboxNames.has(name) ||
    adders.functions.has(name) ||
    adders.objects.has(name)
  const shadowed = statements.flatMap(each => namesDeclaredInside(each, adders.nodes)).find(isKnown)
  if (shadowed !== undefined) {
    opens = true
    warn(
      shadowed,
      `The name ${shadowed.name} has two meanings in this module, so none of its codecs are compiled`,
      'Rename one of them',
    )
  } else for (const statement of statements) visit(statement, 'none', false)

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
    printed.length > 0 ? constantsOf(printed, withFields, isEarly) : '',
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

  /** @param isReported whether `left` has the codec that contains the node */
  function visit(node: Node, use: Use, isReported: boolean): void {
    const declared = node.type === 'VariableDeclarator' ? codecs.get(node) : undefined
    if (declared && node.type === 'VariableDeclarator') {
      wrap(node.init!, '/* @__PURE__ */ ')
      markPure(node.init!)
      return
    }
    const plain = withoutTypes(node)
    let isInReported = isReported
    if (plain.type === 'CallExpression' || plain.type === 'MemberExpression' || plain.type === 'Identifier') {
      const value = evaluate(plain, lookup)?.value
      if (isCodec(value)) {
        const isRefused = use === 'text' && !mayBeText(value)
        const name = use === 'none' || isRefused ? undefined : readyName(value, plain)
        if (name !== undefined) {
          const key = shorthands.has(plain) ? `${(plain as Identifier).name}: ` : ''
          text.overwrite(plain.start!, plain.end!, key + (isEarly ? `$ready().${name}` : name))
        } else if (plain.type !== 'Identifier') wrap(plain, '')
        if (use === 'fields') withFields.add(value)
        if (use === 'none' && !isReported) reportUse(plain)
        return
      }
      if (plain.type === 'Identifier' && ioTsNames.has(plain.name)) leave(plain, isReported)
      if (plain.type === 'CallExpression' && isOfIoTs(plain.callee as Node) && !isReported) {
        reportObstacle(plain)
        isInReported = true
      }
    }
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init) {
      const init = withoutTypes(node.init)
      // Another name of a codec at the top level uses nothing.
      if (init.type === 'Identifier' && isCodec(lookup(node.id.name))) return
      // The name of a codec that cannot be compiled needs no second report.
      if (init.type === 'CallExpression' && isOfIoTs(init.callee as Node)) reported.add(node.id.name)
    }
    if (node.type === 'ExportDefaultDeclaration' && node.declaration.type === 'Identifier') return
    const callee = plain.type === 'CallExpression' ? nameInSignalbox(plain) : undefined
    if (plain.type === 'CallExpression' && callee !== undefined) {
      const { name } = plain.callee as Identifier
      if (queueNames.has(name) && hasOnMessage(plain)) {
        text.overwrite(plain.callee.start!, plain.callee.end!, '$queue')
        takesMessages = true
      }
    }
    if (plain.type === 'ObjectProperty' && plain.shorthand) shorthands.add(plain.value)
    for (const child of childrenOf(plain)) visit(child, useOf(child, plain, use, callee), isInReported)
  }

  /** Returns how a function of Signalbox uses a child of a node. */
  function useOf(child: Node, plain: Node, use: Use, callee: string | undefined): Use {
    if (plain.type === 'CallExpression') {
      if (callee === undefined || child === plain.callee) return 'none'
      if (callee === 'queue' || callee === 'eachMessage') return 'text'
      return callee === 'byType' ? 'fields' : 'check'
    }
    if (use === 'none') return 'none'
    if (plain.type === 'ObjectExpression')
      return child.type === 'ObjectProperty' && readsFields(child, plain) ? 'fields' : use
    return /^(?:ObjectProperty|ArrayExpression)$/.test(plain.type) ? use : 'none'
  }

  function warn({ loc }: Node, what: string, advice: string): void {
    const { line, column } = loc!.start
    left.push({ sentence: `${what}, and the bundle keeps io-ts. ${advice}.`, at: { line, column } })
  }

  function reportObstacle(node: CallExpression): void {
    opens = true
    const { what, advice, name } = obstacleIn(node, lookup, code)
    if (name === undefined || !reported.has(name))
      warn(node, `The codec is not compiled because of ${what}`, advice)
  }

  function reportUse(node: Expression): void {
    const what = node.type === 'Identifier' ? node.name : 'The codec'
    if (reported.has(what)) return
    if (node.type === 'Identifier') reported.add(what)
    warn(
      node,
      `${what} is used here, outside of the arguments of a Signalbox function`,
      'Call a function of Signalbox, such as validate() of @signalbox/codec, if you can',
    )
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

  function readyName(codec: Codec, node: Node): string | undefined {
    if (!ready.has(codec)) {
      try {
        printReady({ codecs: { codec } }, new Map())
        ready.set(codec, `$ready${ready.size}`)
      } catch (error) {
        if (!(error instanceof UnwritableError)) throw error
        ready.set(codec, undefined)
        const obstacle = obstacleInCodec(codec)
        warn(
          node,
          obstacle
            ? `The codec ${codec.name} is not compiled because of ${obstacle.what}`
            : `The codec ${error.message}`,
          obstacle?.advice ?? 'Write the field with t.partial, if you can',
        )
      }
    }
    return ready.get(codec)
  }

  function leave(node: Identifier, isReported: boolean): void {
    if (!isReported && !opens)
      warn(
        node,
        `${node.name} is used in a way that the plugin cannot read`,
        'Write t.type or another member',
      )
    opens = true
  }

  /** Returns whether a function is a member of io-ts. */
  function isOfIoTs(callee: Node): boolean {
    const { name } = (callee.type === 'MemberExpression' ? callee.object : callee) as Partial<Identifier>
    return name !== undefined && ioTsNames.has(name)
  }

  /** Returns the exported name of the function that a call calls, if it is a function of Signalbox. */
  function nameInSignalbox({ callee }: CallExpression): string | undefined {
    if (callee.type === 'Identifier')
      return adders.functions.get(callee.name) ?? signalboxNames.get(callee.name)
    if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return undefined
    const isAdder = adders.objects.has(callee.object.name) && callee.property.type === 'Identifier'
    return isAdder ? (callee.property as Identifier).name : undefined
  }
}

/** Returns whether a route reads the fields of the codec in this property. */
function readsFields(property: ObjectProperty, { properties }: ObjectExpression): boolean {
  const name = nameOf(property) ?? 'query'
  // Only forms have fields that can have several values. A route takes forms only if it has the option `accepts`.
  const mayTakeForms = properties.some(
    each => each.type === 'SpreadElement' || (nameOf(each) ?? 'accepts') === 'accepts',
  )
  return /^(?:query|params|headers|cookies)$/.test(name) || (name === 'body' && mayTakeForms)
}

/** Returns whether a codec may accept text. The queue package refuses all others, which the bundle must not hide. */
function mayBeText(codec: Codec): boolean {
  const { _tag } = codec as Codec & { readonly _tag?: string }
  return /^(?:String|Literal|Keyof|Union|Intersection|Unknown|Any)Type$/.test(_tag ?? '')
}

/** Returns a module whose codecs are not compiled, with the call that makes a bundle understand them. */
function kept(path: string, code: string, left: readonly LeftCodec[]): CompiledModule {
  const text = withStatement(code, understandingOf(code))
  return {
    code: text.toString(),
    map: text.generateMap({ source: path, hires: true, includeContent: true }),
    sources: [],
    left,
  }
}

/** Returns the declarations of the compiled codecs: constants, or a function that makes them at its first call. */
function constantsOf(
  printed: readonly (readonly [Codec, string])[],
  withFields: ReadonlySet<Codec>,
  isEarly: boolean,
): string {
  const names = printed.map(([, name]) => name)
  const made = printed.map(([codec, name]) => {
    const props = withFields.has(codec) ? fieldProperties(codec) : undefined
    return props === undefined ? name : `${name}: Object.assign(${name}, { props: ${props} })`
  })
  const code = printReady(
    { codecs: Object.fromEntries(printed.map(([codec, name]) => [name, codec])) },
    new Map(),
  )
  const body = code.replace(/^export /gm, '')
  const all = `(() => { const isObject = $isObject, readyCodec = $readyCodec; ${body} return { ${made} } })()`
  return isEarly
    ? `var $made; function $ready() { return $made ??= ${all} }\n`
    : `const { ${names} } = /* @__PURE__ */ ${all};\n`
}

/** Returns whether a top-level statement declares a function, which other modules can call before this module runs. */
function declaresFunction(statement: Statement): boolean {
  const isExport =
    statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
  return (isExport ? statement.declaration : statement)?.type === 'FunctionDeclaration'
}

/**
 * Returns the names that are declared inside a statement, below the top level of the module.
 * @param known the parameters whose meaning is known
 */
function namesDeclaredInside(statement: Node, known: ReadonlySet<Node>): readonly Identifier[] {
  const names: Identifier[] = []
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
    if (known.has(node)) return
    if (node.type === 'Identifier') names.push(node)
    // Default values and computed names of properties declare nothing.
    else if (node.type === 'AssignmentPattern') bound(node.left)
    else if (node.type === 'ObjectProperty') bound(node.value)
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
