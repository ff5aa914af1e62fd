import type { CallExpression, Expression, Identifier, Node, Statement } from '@babel/types'
import { called, printReady, UnwritableError } from '@signalbox/codec/ahead'
import MagicString from 'magic-string'
import { childrenOf } from './children-of.ts'
import { codecModule } from './codec-module.ts'
import { type Codec, evaluate, isCodec, withoutTypes } from './evaluate.ts'
import { groupAdders } from './group-adders.ts'
import { obstacleIn, obstacleInCodec } from './obstacle.ts'

/** A module whose codecs have been compiled. */
export interface CompiledModule {
  readonly code: string
  readonly map: unknown
  /** The other modules that were read to compile the codecs. */
  readonly sources: readonly string[]
  /** The codecs that were not compiled. */
  readonly left: readonly LeftCodec[]
}

/** A codec that is not compiled, so that io-ts checks its values. */
interface LeftCodec {
  /** What is in the way, and what to do. */
  readonly sentence: string
  /** The place of the codec in the module. It is missing for a module that cannot be parsed. */
  readonly at?: { readonly line: number; readonly column: number }
}

/**
 * Compiles the codecs that a module passes to functions of Signalbox. It compiles only codecs that consist of io-ts
 * combinators and plain data, in this module or in a module that is imported by a relative path, because these
 * expressions can be evaluated without running user code. Other codecs stay as they are, and io-ts checks their values.
 *
 * @returns undefined for a module without codecs
 */
export function compileModule(path: string, code: string): CompiledModule | undefined {
  if (!/['"](?:io-ts|@signalbox\/[\w-]+)/.test(code)) return undefined
  const module = codecModule(path, code)
  if (!module) {
    if (!/\bfrom\s*['"]io-ts['"]/.test(code)) return undefined
    return withoutChanges(path, code, [
      { sentence: 'The module cannot be parsed, so its codecs are not compiled.' },
    ])
  }
  const { statements, lookup, codecs, ioTsNames, signalboxNames, sources } = module
  const text = new MagicString(code)
  const ready = new Map<Codec, string | undefined>()
  const shorthands = new Set<Node>()
  const left: LeftCodec[] = []
  const reported = new Set<string>()
  const adders = groupAdders(statements, signalboxNames)
  // In a cycle, another module may call the functions of this module before this module runs.
  const isEarly = statements.some(declaresFunction)

  const isKnown = ({ name }: Identifier) =>
    lookup(name) !== undefined ||
    signalboxNames.has(name) ||
    adders.functions.has(name) ||
    adders.objects.has(name)
  const shadowed = statements.flatMap(each => namesDeclaredInside(each, adders.nodes)).find(isKnown)
  if (shadowed !== undefined) {
    warn(
      shadowed,
      `The name ${shadowed.name} has two meanings in this module, so none of its codecs are compiled`,
      'Rename one of them',
    )
  } else for (const statement of statements) visit(statement, false, false)

  if (!text.hasChanged()) return left.length > 0 ? withoutChanges(path, code, left) : undefined
  const printed = [...ready].filter((entry): entry is [Codec, string] => entry[1] !== undefined)
  const imports = [printed.length > 0 ? constantsOf(printed, isEarly) : '']
  // After a hashbang line and 'use strict'.
  const start = /^(?:#!.*\n?)?(?:(['"])use strict\1;?)?/.exec(code)![0].length
  if (start === 0) text.prepend(imports.join(''))
  else text.appendLeft(start, `\n${imports.join('')}`)
  return {
    code: text.toString(),
    map: text.generateMap({ source: path, hires: true, includeContent: true }),
    sources: [...sources],
    left,
  }

  /**
   * @param isArgument whether a function of Signalbox gets the node as an argument, or inside of one
   * @param isReported whether `left` has the codec that contains the node
   */
  function visit(node: Node, isArgument: boolean, isReported: boolean): void {
    const declared = node.type === 'VariableDeclarator' ? codecs.get(node) : undefined
    if (declared && node.type === 'VariableDeclarator') {
      markPure(node.init!)
      return
    }
    const plain = withoutTypes(node)
    let isInReported = isReported
    if (plain.type === 'CallExpression' || plain.type === 'MemberExpression' || plain.type === 'Identifier') {
      const value = evaluate(plain, lookup)?.value
      if (isCodec(value)) {
        const name = isArgument ? readyName(value, plain) : undefined
        if (name !== undefined) {
          const key = shorthands.has(plain) ? `${(plain as Identifier).name}: ` : ''
          text.overwrite(plain.start!, plain.end!, key + (isEarly ? `$ready().${name}` : name))
        }
        if (!isArgument && !isReported) reportUse(plain)
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
    if (plain.type === 'ObjectProperty' && plain.shorthand) shorthands.add(plain.value)
    for (const child of childrenOf(plain))
      visit(child, isPassed(child, plain, isArgument, callee), isInReported)
  }

  function isPassed(child: Node, plain: Node, isArgument: boolean, callee: string | undefined): boolean {
    if (plain.type === 'CallExpression') return callee !== undefined && child !== plain.callee
    return isArgument && /^(?:Object(?:Expression|Property)|ArrayExpression)$/.test(plain.type)
  }

  function warn({ loc }: Node, what: string, advice: string): void {
    const { line, column } = loc!.start
    left.push({ sentence: `${what}, and io-ts checks its values. ${advice}.`, at: { line, column } })
  }

  function reportObstacle(node: CallExpression): void {
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
    if (!isReported && !reported.has('io-ts'))
      warn(
        node,
        `${node.name} is used in a way that the plugin cannot read`,
        'Write t.type or another member',
      )
    reported.add('io-ts')
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

function withoutChanges(path: string, code: string, left: readonly LeftCodec[]): CompiledModule {
  const map = new MagicString(code).generateMap({ source: path, hires: true, includeContent: true })
  return { code, map, sources: [], left }
}

/** Returns the declarations of the compiled codecs: constants, or a function that makes them at its first call. */
function constantsOf(printed: readonly (readonly [Codec, string])[], isEarly: boolean): string {
  const names = printed.map(([, name]) => name)
  // Functions of Signalbox see by the tag what a codec takes.
  const made = printed.map(
    ([codec, name]) =>
      `${name}: Object.assign(${name}, { _tag: ${JSON.stringify((codec as { _tag?: string })._tag)} })`,
  )
  const code = printReady(
    { codecs: Object.fromEntries(printed.map(([codec, name]) => [name, codec])) },
    new Map(),
  )
  const body = code.replace(/^export /gm, '')
  const helpers = [...Object.keys(called), 'readyCodec'].filter(name => body.includes(`${name}(`))
  const imported = helpers.map(name => `${name} as $${name}`)
  const start = `import { ${imported.join(', ')} } from '@signalbox/codec/ready';\n`
  const locals = helpers.map(name => `${name} = $${name}`)
  const all = `(() => { const ${locals.join(', ')}; ${body} return { ${made} } })()`
  return isEarly
    ? `${start}var $made; function $ready() { return $made ??= ${all} }\n`
    : `${start}const { ${names} } = /* @__PURE__ */ ${all};\n`
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
